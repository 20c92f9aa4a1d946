// SPDX-License-Identifier: Apache-2.0
// Types of the npm package intervale.

export type Cell = string | number | boolean | null | undefined;

/** A row of a table, by the names of its columns. */
export type Row = Record<string, Cell>;

/** The content of a file: rows (which become CSV), text, or bytes, packed or not. */
export type File = readonly Row[] | string | Uint8Array;

/** true is an option without a value; false and undefined are no option; a list repeats it. */
export type Option = string | number | boolean | undefined | readonly (string | number)[];

export type Verdict = 'PASS' | 'FAIL' | 'INCONCLUSIVE';

/** What was to be shown, from which evidence it was decided, and the verdict. */
export interface Claim {
  text: string;
  verdict: Verdict | 'ERROR';
  kind: string;
  measure: string | null;
  system: string | null;
  baseline: string | null;
  bound: number | null;
  estimate: number | null;
  lower: number | null;
  upper: number | null;
  p: number | null;
  p_contrary: number | null;
  level: number | null;
  method: string | null;
  [more: string]: unknown;
}

export interface Table {
  name: string;
  columns: { name: string; type: string; about: string; [more: string]: unknown }[];
  rows: Record<string, string | number | boolean | null>[];
}

/** A result, as `--format json` writes it (doc/schema/result.json). */
export interface Result {
  schema: number;
  intervale: string;
  command: string;
  arguments: string[];
  seed: number | null;
  inputs: { path: string; bytes: number; sha256: string | null }[];
  details: Record<string, string>;
  /** null without a gate */
  verdict: Verdict | null;
  claims: Claim[];
  /** the answer in a sentence */
  answer: string | null;
  notes: { id: string | null; severity: 'note' | 'warning'; text: string }[];
  method: string | null;
  citations: { key: string; method: string | null; label: string; text: string; bibtex: string }[];
  tables: Table[];
}

/** Bad input or wrong options: the message of the tool, and its exit status. */
export class IntervaleError extends Error {
  status: number;
}

/**
 * Runs a command on files in memory.  The operands are the files that no option names, in their
 * order.  Options are those of the command line: `gateOn: 'worse'` is `--gate-on worse`.
 *
 *     const rows = [{ item: 'q1', system: 'main', score: 1 }, ...];
 *     const result = await evaluate('compare', { scores: true, baseline: 'main' }, { 'scores.csv': rows });
 */
export function evaluate(command: string, options?: Record<string, Option>, files?: Record<string, File>):
  Promise<Result>;

/** Runs the words of a command line, without "intervale".  Files are in memory. */
export function run(words: readonly string[], more?: { files?: Record<string, File>; input?: File }):
  Promise<{ status: number; out: string; err: string; files: Record<string, Uint8Array> }>;

/** Rows as a CSV file. */
export function csv(rows: readonly Row[]): string;

// SPDX-License-Identifier: Apache-2.0
// Beside the page: the worker that runs the tool, and the service that keeps the site for times
// without a network.
import { run } from './tool.mjs';

/** Waits for { module } once, then for { id, args, files }, and answers each. */
export function work() {
  let module;
  onmessage = async ({ data }) => {
    if (data.module) {
      module = data.module;
      return;
    }
    const { id, args, files } = data;
    try {
      const progress = (share, left) => postMessage({ id, share, left });
      postMessage({ id, done: await run(module, { args, files, progress }) });
    } catch (problem) {
      postMessage({ id, failed: String(problem?.message ?? problem) });
    }
  };
}

/* global __SITE__ */
/** The files of the site are kept under the site's own version, and answered from there. */
export function serve() {
  const { version, files } = __SITE__;
  const name = `intervale-${version}`;
  const keep = async () => {
    const kept = await caches.open(name);
    await kept.addAll(files.map((file) => new Request(file, { cache: 'reload' })));
    await skipWaiting();
  };
  const tidy = async () => {
    for (const other of await caches.keys())
      if (other.startsWith('intervale-') && other !== name) await caches.delete(other);
    await clients.claim();
  };
  const answer = async (request) => {
    const kept = await caches.open(name);
    return await kept.match(request, { ignoreSearch: true }) ?? fetch(request);
  };
  addEventListener('install', (event) => event.waitUntil(keep()));
  addEventListener('activate', (event) => event.waitUntil(tidy()));
  addEventListener('fetch', (event) => {
    if (event.request.method === 'GET') event.respondWith(answer(event.request));
  });
}

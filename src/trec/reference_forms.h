/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of references begins with. */
#ifndef IV_TREC_REFERENCE_FORMS_H
#define IV_TREC_REFERENCE_FORMS_H

#include "intervale/base.h"

#define IV_RIS "references (RIS)"
#define IV_NBIB "references (NBIB)"
#define IV_BIBTEX "references (BibTeX)"
#define IV_ENDNOTE "references (XML of EndNote)"

/* One of these, by the first lines; NULL: no references.  Lines that number the records ("1. ")
 * may stand before the first one. */
const char *iv_references_begin(iv_str text);

/* How many records of this form begin in the line. */
size_t iv_references_in(const char *form, iv_str line);

#endif

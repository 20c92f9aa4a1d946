/* SPDX-License-Identifier: Apache-2.0 */
/* An error as a person reads it: FILE:LINE: and the message. */
#ifndef ERR_TEXT_H
#define ERR_TEXT_H

#include "intervale/base.h"

#define err_text(err) iv_err_text((char[IV_ERR_TEXT_SIZE]){ "" }, err)

#endif /* ERR_TEXT_H */

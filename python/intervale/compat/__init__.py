# SPDX-License-Identifier: Apache-2.0
"""Other packages' ways to ask: import intervale.compat.pytrec_eval as pytrec_eval."""

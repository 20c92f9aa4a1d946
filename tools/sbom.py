# SPDX-License-Identifier: Apache-2.0
"""What a release is made of, as SPDX 2.3 in JSON.

usage: sbom.py VERSION SECONDS PACKAGES.json

SECONDS is the time of the commit; PACKAGES.json is written by inline.mjs.
"""
import base64
import datetime
import json
import sys

# Compiled in as headers, or linked: what a build finds on its system.
SYSTEM = [
    ("Boost.Math", "BSL-1.0", "STATIC_LINK"),
    ("Random123", "BSD-3-Clause", "STATIC_LINK"),
    ("KISS FFT", "BSD-3-Clause", "STATIC_LINK"),
    ("zlib", "Zlib", "DYNAMIC_LINK"),
    ("libzstd", "BSD-3-Clause", "DYNAMIC_LINK"),
    ("Jansson", "MIT", "DYNAMIC_LINK"),
    ("SQLite", "blessing", "DYNAMIC_LINK"),
    ("libevent", "BSD-3-Clause", "DYNAMIC_LINK"),
    ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", "STATIC_LINK"), # into the tool
]


def spdx_id(name):
    return "SPDXRef-" + "".join(c if c.isalnum() else "-" for c in name)


def package(name, version, licence, checksum=None, place=None):
    out = {"SPDXID": spdx_id(name), "name": name, "versionInfo": version,
           "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
           "licenseConcluded": licence, "licenseDeclared": licence,
           "copyrightText": "NOASSERTION"}
    if checksum:
        kind, _, value = checksum.partition("-")
        out["checksums"] = [{"algorithm": kind.upper(),
                             "checksumValue": base64.b64decode(value).hex()}]
    if place:
        out["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER",
                                "referenceType": "purl", "referenceLocator": place}]
    return out


def main(version, seconds, inlined):
    with open(inlined, encoding="utf-8") as f:
        scripts = json.load(f)
    when = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    packages = [package("intervale", version, "Apache-2.0")]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", spdx_id("intervale"))]
    for name, licence, how in SYSTEM:
        packages.append(package(name, "NOASSERTION", licence))
        relations.append((spdx_id("intervale"), how, spdx_id(name)))
    for s in scripts:
        packages.append(package(s["name"], s["version"], s["licence"], s.get("integrity"),
                                f"pkg:npm/{s['name'].replace('@', '%40')}@{s['version']}"))
        relations.append((spdx_id("intervale"), "CONTAINS", spdx_id(s["name"])))
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"intervale-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/intervale-{version}-{seconds}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: tools/sbom.py"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": how,
                           "relatedSpdxElement": b} for a, how, b in relations],
    }, sys.stdout, indent=1)
    print()


main(*sys.argv[1:])

"""The bill of materials of a release, as SPDX 2.3 in JSON, on standard output.

    bill_of_materials.py VERSION SECONDS FOLDER

SECONDS is the time of the release since 1970; FOLDER has its files.
"""

import datetime
import hashlib
import json
import pathlib
import sys

SWIFT = "parts of Swift's standard library and runtime, which are compiled into the engine"


def package(name, version, licence, **more):
    identifier = "SPDXRef-" + "".join(c if c.isalnum() else "-" for c in name)
    return {
        "SPDXID": identifier,
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **more,
    }


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def main(version, seconds, folder):
    made = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    artifacts = []
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.name == "SHA256SUMS" or path.suffix == ".json":
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        checksums = [{"algorithm": "SHA256", "checksumValue": digest}]
        artifacts.append(package(
            path.name, version, "MIT AND Apache-2.0 WITH Swift-exception",
            packageFileName=path.name, checksums=checksums))
    swift = package("swift", "6.3", "Apache-2.0 WITH Swift-exception", comment=SWIFT)
    relations = []
    for artifact in artifacts:
        relations.append(relation("SPDXRef-DOCUMENT", "DESCRIBES", artifact["SPDXID"]))
        relations.append(relation(artifact["SPDXID"], "CONTAINS", swift["SPDXID"]))
    json.dump({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": "librac-" + version,
        "documentNamespace": "urn:librac:{}:{}".format(version, seconds),
        "creationInfo": {
            "created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: scripts/release"],
        },
        "packages": artifacts + [swift],
        "relationships": relations,
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])

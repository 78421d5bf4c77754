"""Writes JSON schemas for kubeconform: schemas.py <to> <kubernetes version> <folder of our own> <folder of CRDs>...

Kubernetes' own come from the package kubernetes-validate, those of custom resources from their definitions (a folder
of YAML), and from our own folder where a project publishes none that can be had. All are strict: an unknown field is
a fault.
"""

import json
import pathlib
import shutil
import sys

import kubernetes_validate
import yaml


def kubernetes(to, version):
    source = pathlib.Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema" / f"{version}-local-strict"
    folder = to / f"{version}-strict"
    folder.mkdir(parents=True, exist_ok=True)
    for file in source.glob("*.json"):
        # References and ids are absolute, to a host that is not asked.
        schema = json.loads(file.read_text().replace('"/api/_definitions.json#', '"_definitions.json#'))
        schema.pop("$id", None)
        (folder / file.name).write_text(json.dumps(schema))
    return len(list(folder.iterdir()))


def strict(schema):
    """Closes every object whose fields are known, as the API server does when it is asked to be strict."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if "properties" in closed and not closed.get("x-kubernetes-preserve-unknown-fields"):
        closed.setdefault("additionalProperties", False)
    return closed


def custom(to, crds):
    count = 0
    for file in sorted(crds.glob("*.yaml")):
        for document in yaml.safe_load_all(file.read_text()):
            if not document or document.get("kind") != "CustomResourceDefinition":
                continue
            spec = document["spec"]
            for version in spec["versions"]:
                schema = strict(version["schema"]["openAPIV3Schema"])
                schema["properties"].update({"metadata": {"type": "object"}})
                name = f"{spec['names']['kind'].lower()}-{spec['group'].split('.')[0]}-{version['name']}.json"
                (to / "custom").mkdir(exist_ok=True)
                (to / "custom" / name).write_text(json.dumps(schema))
                count += 1
    return count


def main():
    to, version, own, *crds = sys.argv[1:]
    to = pathlib.Path(to)
    print(f"{kubernetes(to, version)} schemas of Kubernetes {version}")
    for folder in crds:
        print(f"{custom(to, pathlib.Path(folder))} schemas of {folder}")
    for file in pathlib.Path(own).glob("*.json"):
        shutil.copy(file, to / "custom" / file.name)


main()

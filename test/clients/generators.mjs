import { spawnSync } from 'node:child_process'

/**
 * The generators. `needs`: programs on the PATH. `install` gets the pinned tools and libraries, once; without them the
 * generator is skipped. `sample`: the commands that generate the client, as the page /docs/generated-clients shows them.
 * `compile` and `tour` run after it. `usual`: runs without --all.
 */
export const GENERATORS = [
  {
    name: 'openapi-typescript',
    version: '7.13.0',
    folder: 'openapi-fetch',
    needs: ['npm'],
    install: 'npm install --no-audit --no-fund --ignore-scripts',
    sample: 'openapi-fetch.sh',
    compile: 'npx tsc',
    tour: 'node built/tour.js',
    usual: true,
  },
  {
    name: 'openapi-python-client',
    version: '0.29.1',
    folder: 'python',
    needs: ['python3'],
    install: 'python3 -m venv venv && pip install --quiet --no-compile -r requirements.txt',
    sample: 'python.sh',
    // Faults of the generated code itself are not ours to find.
    compile: 'mypy --strict --follow-imports=silent tour.py',
    tour: 'python tour.py',
    usual: true,
  },
  {
    name: '@hey-api/openapi-ts',
    version: '0.95.0',
    folder: 'hey-api',
    needs: ['npm'],
    install: 'npm install --no-audit --no-fund --ignore-scripts',
    sample: 'hey-api.sh',
    compile: 'npx tsc',
    tour: 'node built/tour.js',
  },
  {
    name: 'oapi-codegen',
    version: '2.8.2',
    folder: 'go',
    needs: ['go'],
    install:
      'go mod download && go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 --version',
    sample: 'go.sh',
    compile: 'go vet ./... && go build -o tour .',
    tour: './tour',
  },
  {
    name: 'openapi-generator',
    version: '7.25.0',
    folder: 'java',
    needs: ['mvn', 'javac'],
    install:
      'mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=.',
    sample: 'java.sh',
    compile: 'cp Tour.java client/src/main/java/ && mvn -q -B -f client/pom.xml compile',
    tour: 'mvn -q -B -f client/pom.xml org.codehaus.mojo:exec-maven-plugin:3.6.3:java -Dexec.mainClass=Tour',
  },
]

/** The programs that a generator needs and this machine has not. */
export const missingOf = ({ needs }) =>
  needs.filter((program) => spawnSync('which', [program], { stdio: 'ignore' }).status !== 0)

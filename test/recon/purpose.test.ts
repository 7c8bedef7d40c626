import { describe, expect, it } from 'vitest';
import { purposeOfCommand, purposeOfTask } from '../../src/recon/ecosystems/purpose.js';

describe('purpose of a command', () => {
  it.each([
    ['uv run --locked --group dev tox run', 'test'],
    ['python -Wall tests/runtests.py -v2', 'test'],
    ['python -X dev -m pytest -q', 'test'],
    ['GOARCH=386 go test ./...', 'test'],
    ['mvn verify -Dmaven.test.skip', 'build'],
    ['./gradlew build -x test', 'build'],
    ['cargo +nightly fmt --all --check', 'lint'],
    ['ruff format --diff', 'lint'],
    ['tsc --noEmit', 'lint'],
    ['npm ci', 'install'],
    ['go install example.com/tool@latest', undefined],
    ['pytest --version', undefined],
    ['echo pytest', undefined],
  ])('%s', (line, purpose) => {
    expect(purposeOfCommand(line)).toBe(purpose);
  });
});

describe('purpose of a task', () => {
  it.each([
    ['test', ['vitest'], 'test'],
    ['test', ['echo "Error: no test specified" && exit 1'], undefined],
    ['test:watch', ['vitest'], undefined],
    ['test-e2e', ['playwright test'], 'test'],
    ['format-check', ['prettier --check .'], 'lint'],
    ['server.key', ['openssl genrsa'], undefined],
    ['install-tools', ['echo'], undefined],
    ['docs', ['sphinx-build docs out'], undefined],
  ])('%s %j', (name, runs, purpose) => {
    expect(purposeOfTask(name, runs)?.purpose).toBe(purpose);
  });
});

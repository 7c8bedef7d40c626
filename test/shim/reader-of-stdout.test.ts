/** Section 3 of the contract: who reads stdout decides whether there is a block. */
import { spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBlock, installed, Stage } from './stage.js';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 60_000);
afterAll(() => stage.close());

async function expectBlocks(command: string, blocks: number, why?: string): Promise<void> {
  const ran = await stage.bash(command);
  expect(ran.stdout.toString().split('[Block]').length - 1, `${command}\n${ran.stdout}`).toBe(blocks);
  if (why) expect(stage.lastDecision()).toMatchObject({ why });
}

describe('a shell whose output is the search', () => {
  it.each([
    'rg foo',
    'rg foo; true',
    'grep -rn foo .',
    'grep foo *.py; true',
    'cd sub && rg foo; true',
    'timeout 60 rg foo',
    'timeout 60 rg foo; true',
    'env A=1 rg foo; true',
    '(rg foo); true',
    '{ rg foo; }; true',
    'search() { rg foo; }; search',
    'rg foo & wait',
    'rg foo 2>/dev/null; true',
    'rg foo 2>&1; true',
    'echo b.py | xargs rg foo; true',
    'find . -name "*.py" -exec rg foo {} + ; true',
    'if rg foo; then echo yes; fi | cat; rg foo',
  ])('%s', async (command) => {
    await expectBlocks(command, 1);
  });

  it('puts the block after the matches and before what comes next', async () => {
    const ran = await stage.bash('rg --sort path -n foo; echo next');
    expect(ran.stdout.toString()).toBe(
      'a.py:1:def foo():\nb.py:1:foo()\nsub/c.py:1:foo()\n[Block] a.py:1 b.py:1 sub/c.py:1\nnext\n',
    );
  });

  it('names files as they are seen from the current folder, or in full where the search does', async () => {
    expect((await stage.bash('cd sub && rg foo ..; true')).stdout.toString()).toContain(
      '[Block] ../a.py:1 ../b.py:1 c.py:1',
    );
    expect((await stage.bash(`rg foo ${stage.repository}/a.py -n; true`)).stdout.toString()).toContain(
      `[Block] ${stage.repository}/a.py:1`,
    );
  });
});

describe('somebody else reads', () => {
  it.each([
    ['rg foo | head -1', 'captured'],
    ['rg foo | cat; true', 'captured'],
    ['x=$(rg foo); echo "$x"', 'captured'],
    ['rg foo > ../out.txt; cat ../out.txt', 'file'],
    ['rg foo > ../out.txt', 'file'],
    ['(rg foo) | cat', 'captured'],
    ['search() { rg foo; }; search | cat', 'captured'],
    ['for i in 1; do rg foo; done | cat', 'captured'],
    ['rg foo >/dev/null; true', 'null'],
    ['{ rg foo; } > ../out.txt; cat ../out.txt', 'file'],
    ['rg -l foo | xargs cat', 'flag'],
    ['while read -r line; do echo "$line"; done < <(rg foo)', 'captured'],
  ])('%s', async (command, why) => {
    await expectBlocks(command, 0, why);
  });

  it('a program that starts rg itself is a parser', async () => {
    const ran = await stage.run(['rg', 'foo'], stage.shimmed);
    expect(hasBlock(ran)).toBe(false);
    expect(stage.lastDecision()).toMatchObject({ why: 'spawned' });
  });

  it('unless it is known to go through a shell only', async () => {
    const ran = await stage.run(['sh', '-c', 'rg foo'], { ...stage.shimmed, SIDECAR_SPAWN: 'shell' });
    expect(hasBlock(ran)).toBe(true);
  });

  it.runIf(installed('python3'))('Python: a list is a parser, a shell of its own is not', async () => {
    const python = (call: string) =>
      stage.run(['python3', '-c', `import subprocess as s; s.run(${call})`], stage.shimmed);
    expect(hasBlock(await python('["rg", "foo"]'))).toBe(false);
    expect(hasBlock(await python('"rg foo; true", shell=True'))).toBe(true);
    expect(hasBlock(await python('["bash", "-c", "rg foo"]'))).toBe(true);
    expect(hasBlock(await python('"rg foo", shell=True, executable="/bin/bash"'))).toBe(true);
  });
});

describe('files', () => {
  const toOneFile = async (command: string[], env: NodeJS.ProcessEnv): Promise<string> => {
    const path = join(stage.base, 'agent-output');
    writeFileSync(path, '');
    const file = openSync(path, 'a');
    await stage.run(command, env, { stdio: ['ignore', file, file] });
    return readFileSync(path, 'utf8');
  };

  it('one file for both streams of an agent gets a block', async () => {
    expect(await toOneFile(['bash', '-c', 'rg foo; true'], { ...stage.shimmed, CLAUDECODE: '1' })).toContain('[Block]');
  });

  it('and of nobody known does not', async () => {
    expect(await toOneFile(['bash', '-c', 'rg foo; true'], stage.shimmed)).not.toContain('[Block]');
  });

  it.runIf(installed('dash'))('dash redirects itself, so a file under dash is never an agent', async () => {
    const command = ['dash', '-c', 'rg foo; true'];
    expect(await toOneFile(command, { ...stage.shimmed, CLAUDECODE: '1' })).not.toContain('[Block]');
    const ran = await stage.run(['dash', '-c', 'rg foo >../out.txt 2>&1; cat ../out.txt'], {
      ...stage.shimmed,
      CLAUDECODE: '1',
    });
    expect(ran.stdout.toString()).not.toContain('[Block]');
  });
});

describe.runIf(installed('script'))('a terminal', () => {
  const terminal = (more: NodeJS.ProcessEnv) =>
    stage.run(['script', '-qec', "bash -c 'rg foo; true'", '/dev/null'], { ...stage.shimmed, ...more });

  it('without an agent is a person', async () => {
    expect((await terminal({})).stdout.toString()).not.toContain('[Block]');
    expect(stage.lastDecision()).toMatchObject({ why: 'terminal' });
  });

  it('of an agent is the agent', async () => {
    expect((await terminal({ CODEX_CI: '1' })).stdout.toString()).toContain('[Block]');
  });

  it('of a person who asks for it', async () => {
    expect((await terminal({ SIDECAR_MODE: 'always' })).stdout.toString()).toContain('[Block]');
  });
});

describe('one block for a command', () => {
  it.each([
    'for i in 1 2 3; do rg foo; done',
    'rg foo; rg bar',
    'printf "a.py\\nb.py\\n" | xargs -n1 rg foo; true',
    'find . -name "*.py" -exec grep -n foo {} +  -exec grep -H foo {} ";"; true',
  ])('%s', async (command) => {
    await expectBlocks(command, 1, 'repeated');
  });

  it('but a shell that lives on has one for each command', async () => {
    const ran = await new Promise<string>((resolve) => {
      const shell = spawn('bash', [], { cwd: stage.repository, env: stage.shimmed, stdio: ['pipe', 'pipe', 'ignore'] });
      let out = '';
      shell.stdout.on('data', (chunk) => {
        out += chunk;
      });
      shell.on('close', () => resolve(out));
      shell.stdin.end('rg foo </dev/null\nrg bar </dev/null\n');
    });
    expect(ran.split('[Block]').length - 1).toBe(2);
  });
});

describe('under other shells', () => {
  for (const shell of ['dash', 'zsh', 'ksh', 'mksh'].filter(installed)) {
    it(shell, async () => {
      const run = async (command: string) => (await stage.run([shell, '-c', command], stage.shimmed)).stdout.toString();
      expect(await run('rg foo; true')).toContain('[Block]');
      expect(await run('rg foo | cat; true')).not.toContain('[Block]');
      expect(await run('x=$(rg foo); echo "$x"')).not.toContain('[Block]');
      expect(await run('rg foo > ../out.txt; cat ../out.txt')).not.toContain('[Block]');
    });
  }
});

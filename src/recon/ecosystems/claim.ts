/** What the file of an ecosystem claims about the repository: small statements, each with its line. */

export type Purpose = 'install' | 'build' | 'test' | 'lint' | 'format' | 'run';

export const PURPOSES: readonly Purpose[] = ['install', 'build', 'test', 'lint', 'format', 'run'];

/** How a named task is started. */
export type Runner =
  | 'npm-script'
  | 'make'
  | 'script'
  | 'task'
  | 'just'
  | 'tox'
  | 'nox'
  | 'cargo-alias'
  | 'deno'
  | 'poe'
  | 'pdm'
  | 'hatch'
  | 'turbo'
  | 'nx';

export type DependencyScope = 'runtime' | 'development' | 'optional' | 'build';

interface At {
  /** Counted from 1. */
  readonly line: number;
}

export type Claim = At &
  (
    | { readonly kind: 'package-manager'; readonly name: string }
    /** A unit that is built, published or run by itself. Its folder is the file's unless given. */
    | {
        readonly kind: 'component';
        readonly name: string;
        readonly type: 'package' | 'module' | 'target' | 'service' | 'image';
        readonly folder?: string;
        /** Other names that dependencies use for it. */
        readonly aliases?: readonly string[];
      }
    | {
        readonly kind: 'dependency';
        readonly name: string;
        readonly scope: DependencyScope;
        /** Repository folder that it points to, where the file says so. */
        readonly folder?: string;
        /** Name of the component of this file that depends, where it has several. */
        readonly of?: string;
      }
    /** A task with a name: a script, a target, an environment. `runs` is what it executes, where known. */
    | { readonly kind: 'task'; readonly runner: Runner; readonly name: string; readonly runs: readonly string[] }
    /** A command line that the file runs: a CI step, a container's command. */
    | {
        readonly kind: 'command';
        readonly text: string;
        readonly folder?: string;
        readonly source: 'ci' | 'container';
        /** Overrides what the text would say by itself. */
        readonly purpose?: Purpose;
      }
    /** A tool that this file configures, with the command that its convention gives. */
    | { readonly kind: 'tool'; readonly name: string; readonly purpose: Purpose; readonly command?: string }
    | { readonly kind: 'test-framework'; readonly name: string }
    | {
        readonly kind: 'entry-point';
        readonly name: string;
        readonly type: 'command' | 'library' | 'main' | 'service' | 'plugin';
        /** What it starts, as written: `pkg.module:main`, `./dist/index.js`. */
        readonly target: string;
        /** Repository path, where the file says so. */
        readonly path?: string;
      }
    /** Gathers components: a workspace, a reactor, a super-build. Members are folders or globs, repository-relative. */
    | { readonly kind: 'aggregator'; readonly name: string; readonly members: readonly string[] }
    | { readonly kind: 'note'; readonly text: string }
  );

/** One ecosystem: which files are its own, and what they claim. */
export interface Ecosystem {
  readonly id: string;
  /** Whether the file at that repository path is one of its manifests. */
  matches(path: string): boolean;
  /** Pure; never throws: broken text gives what can be had and a note. */
  read(path: string, text: string): readonly Claim[];
}

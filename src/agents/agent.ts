/** What is known about a coding agent: how it runs commands, and what it offers to those who add to its searches. */

/** A tool call of the agent that has ended, as far as a search in it can be told. */
export interface ToolCall {
  /** The agent's current folder. */
  readonly folder: string;
  /** What the model will see, as text. */
  readonly output: string;
  /** The agent's own name for the conversation. */
  readonly session?: string;
  readonly call:
    | { readonly kind: 'shell'; readonly command: string }
    /** A search tool that is built in. `path`: the file or folder that it was told to search. */
    | { readonly kind: 'search'; readonly pattern: string; readonly path?: string };
}

/** A JSON settings file that lists commands to run after a tool call: `{"hooks": {EVENT: [{matcher, hooks}]}}`. */
export interface HookSettings {
  readonly kind: 'settings';
  readonly event: string;
  /** Names of the tools, in the agent's own pattern syntax. */
  readonly matcher: string;
  /** What goes into the entry besides type and command. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Relative to the home folder. */
  readonly userFile: string;
  /** Overrides the first folder of `userFile`: the variable by which the agent moves its own folder. */
  readonly userFolderVariable?: string;
  /** Relative to the top of the work tree. */
  readonly projectFile: string;
  /** What the user has to do besides. */
  readonly note?: string;
}

/** A plugin: a file of code that the agent loads. */
export interface HookPlugin {
  readonly kind: 'plugin';
  readonly userFile: string;
  readonly projectFile: string;
  /** The whole file, for the command that answers. */
  readonly content: (command: string) => string;
}

export interface HookProtocol {
  /** Undefined: not a call that may hold a search. `event` is what the agent wrote to stdin, parsed. */
  readonly read: (event: unknown) => ToolCall | undefined;
  /** What the agent expects on stdout to add the text to the result. */
  readonly answer: (text: string) => string;
  readonly install: HookSettings | HookPlugin;
}

/** What `sidecar run` knows when it starts an agent. */
export interface RunContext {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A bash script that puts the launchers first on PATH. */
  readonly bashScript: string;
  /** Command that answers this agent's hook; absent where a hook is installed already. */
  readonly hookCommand?: string;
}

export interface RunExtras {
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments before the caller's own. */
  readonly args?: readonly string[];
  /** Script that the agent gives to bash as BASH_ENV. */
  readonly bashEnv?: string;
}

export interface Agent {
  /** As in `sidecar hook NAME`. */
  readonly name: string;
  readonly title: string;
  /** Names of its program on PATH. */
  readonly programs: readonly string[];
  /** How it starts a shell command: what `sidecar doctor` imitates. */
  readonly shell: {
    readonly argv: readonly [string, ...string[]];
    readonly env: Readonly<Record<string, string>>;
    /** Where the output of the command goes. */
    readonly output: 'pipe' | 'file';
  };
  readonly hook?: HookProtocol;
  readonly extras?: (context: RunContext) => RunExtras;
}

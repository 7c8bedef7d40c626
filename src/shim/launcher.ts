/**
 * Writes the launchers `shims/rg` and `shims/grep`: POSIX sh, one text with the tool's flags (flags.ts) filled in.
 *
 * Nothing is forked before the real tool runs: every question is answered by builtins of the shell (`test`,
 * `read`, `case`), so a search that is not augmented costs the start of one sh. Why the shell stays as the parent
 * of an augmented search is in docs/adr/0006-sh-supervises.md.
 */
import { FLAGS, type Flag, type Tool } from './flags.js';

const CARRIERS = 'timeout|env|nice|stdbuf|time|xargs|find';
const SHELLS = 'bash|sh|dash|zsh|ksh|ksh93|mksh|ash|busybox';
const SHELL_FILES = ['/bin/bash', '/bin/dash', '/bin/sh', '/usr/bin/zsh', '/bin/zsh', '/usr/bin/ksh'];
const AGENTS = [
  'CLAUDECODE',
  'CODEX_CI',
  'GEMINI_CLI',
  'QWEN_CODE',
  'OPENCODE',
  'CRUSH',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'GOOSE_TERMINAL',
  'AI_AGENT',
  'AGENT',
];

/** More arguments than this are not looked at: a shell takes microseconds for each. */
const MOST_ARGUMENTS = 1000;

/** Short flags and the value attached to the last of them: taking a long word apart costs its length squared. */
const LONGEST_CLUSTER = 200;

/** After the search ended: how long the shell waits for a Node that has not even started by then, in seconds. */
const DEADLINE = '0.200';

function pattern(names: readonly string[]): string {
  return names.join('|');
}

/** The characters as a bracket expression, with what is special in one put where it is not. */
function bracket(chars: string): string {
  return `[${[...chars].sort().join('')}]`;
}

interface Patterns {
  /** Long flags without a value, `--` included. */
  readonly longSwitches: string;
  /** Long flags that take the next argument. */
  readonly longValues: string;
  readonly longAttached: string;
  readonly shortSwitches: string;
  readonly shortValues: string;
}

function allowed(tool: Tool): readonly Flag[] {
  return FLAGS[tool].flags.filter((flag) => flag.action !== 'exec');
}

function patternsOf(tool: Tool): Patterns {
  const flags = allowed(tool);
  const long = (wanted: (flag: Flag) => boolean): string[] =>
    flags.filter(wanted).flatMap((flag) => (flag.long ?? []).map((name) => `--${name}`));
  const short = (wanted: (flag: Flag) => boolean): string =>
    flags
      .filter(wanted)
      .map((flag) => flag.short ?? '')
      .join('');
  return {
    longSwitches: pattern(long((flag) => flag.value !== 'required')),
    longValues: pattern(long((flag) => flag.value === 'required')),
    longAttached: pattern(long((flag) => flag.value !== undefined)),
    shortSwitches: bracket(short((flag) => flag.value === undefined) + (FLAGS[tool].digits ? '0123456789' : '')),
    shortValues: bracket(short((flag) => flag.value === 'required')),
  };
}

/** Every spelling of a flag, as a case pattern. */
function spellings(flag: Flag): string {
  return pattern([...(flag.long ?? []).map((name) => `--${name}`), ...[...(flag.short ?? '')].map((c) => `-${c}`)]);
}

/** The branches of `take`: what a flag that is allowed does besides being allowed. */
function branches(tool: Tool): string {
  const lines: string[] = [];
  for (const flag of allowed(tool)) {
    const acts: string[] = [];
    if (flag.only) {
      const values = flag.value === 'optional' ? ["''", ...flag.only] : flag.only;
      acts.push(`case $2 in ${pattern(values)}) ;; *) sidecar_why=value ;; esac`);
    }
    if (flag.holds === 'pattern' || flag.holds === 'pattern-file') acts.push('sidecar_pattern=1');
    if (flag.holds === 'file' || flag.holds === 'pattern-file') {
      acts.push('[ "$2" != - ] && [ -f "$2" ] || sidecar_why=stdin');
    }
    if (flag.recursive?.length === 0) acts.push('sidecar_walks=1');
    else if (flag.recursive) acts.push(`case $2 in ${pattern(flag.recursive)}) sidecar_walks=1 ;; esac`);
    if (acts.length > 0) lines.push(`    ${spellings(flag)}) ${acts.join('; ')} ;;`);
  }
  return lines.join('\n');
}

/** Arguments that do not stand on the command line. */
const ENVIRONMENT: Readonly<Record<Tool, string>> = {
  rg: `  if [ -n "\${RIPGREP_CONFIG_PATH-}" ]; then
    # A configuration file can bring in any flag: its lines are arguments before the others.
    if [ ! -f "$RIPGREP_CONFIG_PATH" ] || [ ! -r "$RIPGREP_CONFIG_PATH" ]; then
      sidecar_why=config
      return
    fi
    while IFS= read -r sidecar_arg || [ -n "$sidecar_arg" ]; do
      sidecar_arg=\${sidecar_arg#"\${sidecar_arg%%[![:space:]]*}"}
      sidecar_arg=\${sidecar_arg%"\${sidecar_arg##*[![:space:]]}"}
      case $sidecar_arg in '' | '#'*) ;; *) sidecar_look "$sidecar_arg" ;; esac
    done <"$RIPGREP_CONFIG_PATH"
    [ -z "$sidecar_why$sidecar_pending$sidecar_pattern$sidecar_dashes" ] && [ "$sidecar_operands" -eq 0 ] || {
      sidecar_why=config
      return
    }
    sidecar_seen=0
  fi`,
  grep: `  if [ -n "\${GREP_OPTIONS+set}\${POSIXLY_CORRECT+set}" ]; then
    sidecar_why=environment
    return
  fi`,
};

/** Where no path is given: grep reads stdin unless it walks, rg where stdin is a file, a pipe or a socket. */
const READS_STDIN: Readonly<Record<Tool, string>> = {
  rg: '[ -f /proc/self/fd/0 ] || [ -p /proc/self/fd/0 ] || [ -S /proc/self/fd/0 ]',
  grep: '[ -z "$sidecar_walks" ]',
};

/**
 * grep's messages begin with the name that it was called by, and sh can only give that name by finding grep on PATH.
 * grep itself never looks at PATH; rg, whose messages do not depend on its name, gets the PATH of its caller. A
 * busybox sh may run a grep of its own in place of what PATH has.
 */
const BECOME: Readonly<Record<Tool, string>> = {
  rg: '',
  grep: `  case $sidecar_real in
  /*/grep)
    if [ ! /proc/self/exe -ef /bin/busybox ]; then
      PATH=\${sidecar_real%/*}
      exec grep "$@"
    fi
    ;;
  esac`,
};

const PACKAGED: Readonly<Record<Tool, string>> = {
  rg: `  for sidecar_c in "$sidecar_home"/node_modules/@vscode/ripgrep-*/bin/rg "$sidecar_home"/../@vscode/ripgrep-*/bin/rg; do
    [ -x "$sidecar_c" ] && sidecar_real=$sidecar_c && break
  done`,
  grep: '  :',
};

/** The text of `shims/<tool>`. Pure: the same table gives the same bytes. */
export function launcherFor(tool: Tool): string {
  const flags = patternsOf(tool);
  const recorded = `SIDECAR_REAL_${tool.toUpperCase()}`;
  return `#!/bin/sh
# grep-sidecar launcher of ${tool}. Generated from src/shim/launcher.ts by \`npm run build\`. Do not edit.
sidecar_via=\${_-}

# The real tool: as recorded, else the first one on PATH that is no launcher, else the one in the package.
sidecar_home=\${SIDECAR_HOME-}
[ -n "$sidecar_home" ] || case $0 in
*/*/*) sidecar_home=\${0%/*/*} ;;
*/*) sidecar_home=\${0%/*}/.. ;;
*) sidecar_home=.. ;;
esac
sidecar_depth=\${SIDECAR_DEPTH:-0}
case $sidecar_depth in *[!0-9]* | ????*) sidecar_depth=999 ;; esac
sidecar_real=\${${recorded}-}
if [ -z "$sidecar_real" ] || [ "$sidecar_depth" -gt 0 ] || [ ! -x "$sidecar_real" ] || [ -d "$sidecar_real" ] || [ "$sidecar_real" -ef "$0" ]; then
  sidecar_real=
  IFS=:
  set -f
  for sidecar_c in \${PATH-}; do
    sidecar_c=\${sidecar_c:-.}/${tool}
    [ -x "$sidecar_c" ] && [ ! -d "$sidecar_c" ] && [ ! "$sidecar_c" -ef "$0" ] || continue
    if [ "$sidecar_depth" -gt 0 ]; then
      # Below another launcher: a launcher of another installation must not count as the real tool.
      sidecar_a= sidecar_b=
      { IFS= read -r sidecar_a && case $sidecar_a in '#!'*) IFS= read -r sidecar_b ;; esac; } <"$sidecar_c" 2>/dev/null
      case $sidecar_b in '# grep-sidecar launcher'*) continue ;; esac
    fi
    sidecar_real=$sidecar_c
    break
  done
  set +f
  unset IFS
fi
if [ -z "$sidecar_real" ]; then
${PACKAGED[tool]}
fi
if [ -z "$sidecar_real" ] || [ "$sidecar_depth" -gt 20 ]; then
  echo "sidecar: no real ${tool} found: PATH has only this launcher ($0); install ${tool} or set ${recorded}" >&2
  exit 127
fi
SIDECAR_DEPTH=$((sidecar_depth + 1))
export SIDECAR_DEPTH

# Becomes the real tool.
sidecar_exec() {
${BECOME[tool]}
  exec "$sidecar_real" "$@"
}

# A reason not to augment, or nothing. Cheapest questions first.
sidecar_why=
if [ "\${SIDECAR_MODE-}" = off ]; then
  sidecar_why=off
elif [ "$sidecar_depth" -gt 0 ]; then
  sidecar_why=nested
elif [ "$#" -gt ${MOST_ARGUMENTS} ]; then
  sidecar_why=arguments
elif [ ! -e /proc/self/fd/0 ] || [ ! -e /proc/self/fd/1 ] || [ ! -e /proc/self/fd/2 ]; then
  sidecar_why=no-proc
elif [ ! -e "/proc/$$/task/$$/children" ]; then
  # Nothing that is started could be ended.
  sidecar_why=no-proc
elif [ -e /proc/self/fd/7 ] || [ -e /proc/self/fd/8 ] || [ -e /proc/self/fd/9 ]; then
  sidecar_why=descriptors
elif [ /proc/self/fd/1 -ef /dev/null ]; then
  sidecar_why=null
fi

sidecar_cache=\${XDG_CACHE_HOME-}
case $sidecar_cache in /*) ;; *) sidecar_cache=\${HOME:+$HOME/.cache} ;; esac
sidecar_cache=$sidecar_cache/sidecar

# Is there an index of a folder above $1? Names only; the evidence side compares the hash in the name.
sidecar_indexed() {
  sidecar_d=$1
  while :; do
    if [ -h "$sidecar_d" ]; then
      sidecar_glob=
    else
      sidecar_glob=\${sidecar_d##*/}-
    fi
    for sidecar_c in "$sidecar_cache/$sidecar_glob"*/index.json; do
      [ -e "$sidecar_c" ] && return 0
    done
    case $sidecar_d in */*) sidecar_d=\${sidecar_d%/*} ;; *) return 1 ;; esac
    [ -n "$sidecar_d" ] || return 1
  done
}

if [ -n "$sidecar_why" ]; then
  :
elif [ -n "\${SIDECAR_INDEX_DIR-}" ]; then
  [ -e "$SIDECAR_INDEX_DIR/index.json" ] || sidecar_why=no-index
elif [ ! -d "$sidecar_cache" ]; then
  sidecar_why=no-index
else
  sidecar_indexed "\${PWD:-/}" || sidecar_why=no-index
fi

# A line for SIDECAR_LOG. Written by builtins.
sidecar_log() {
  [ -z "\${SIDECAR_LOG-}" ] || printf '{"tool":"${tool}","decision":"%s","why":"%s"}\\n' "$1" "$2" 2>/dev/null >>"$SIDECAR_LOG"
}

if [ -n "$sidecar_why" ]; then
  [ -z "\${SIDECAR_LOG-}" ] || sidecar_log exec "$sidecar_why"
  sidecar_exec "$@"
fi

# What a flag does besides being allowed: $1 the flag, $2 its value.
sidecar_take() {
  case $1 in
${branches(tool)}
  esac
}

# The evidence run reads the same files once more: only what can be read twice.
sidecar_operand() {
  sidecar_operands=$((sidecar_operands + 1))
  case $1 in
  - | /dev/* | /proc/*) sidecar_why=stream ;;
  *) [ -f "$1" ] || [ -d "$1" ] || [ ! -e "$1" ] || sidecar_why=stream ;;
  esac
}

# One argument. Whatever is not in the table means exec.
sidecar_look() {
  sidecar_seen=$((sidecar_seen + 1))
  if [ -n "$sidecar_pending" ]; then
    sidecar_take "$sidecar_pending" "$1"
    sidecar_pending=
    return
  fi
  if [ -n "$sidecar_dashes" ]; then
    sidecar_operand "$1"
    return
  fi
  case $1 in
  --) sidecar_dashes=$sidecar_seen ;;
  ${flags.longSwitches}) sidecar_take "$1" '' ;;
  ${flags.longValues}) sidecar_pending=$1 ;;
  --*=*)
    case \${1%%=*} in
    ${flags.longAttached}) sidecar_take "\${1%%=*}" "\${1#*=}" ;;
    *) sidecar_why=flag ;;
    esac
    ;;
  --*) sidecar_why=flag ;;
  -${'?'.repeat(LONGEST_CLUSTER)}*) sidecar_why=flag ;;
  -?*)
    sidecar_rest=\${1#-}
    while [ -n "$sidecar_rest" ]; do
      sidecar_c=\${sidecar_rest%"\${sidecar_rest#?}"}
      sidecar_rest=\${sidecar_rest#?}
      case $sidecar_c in
      ${flags.shortSwitches}) sidecar_take "-$sidecar_c" '' ;;
      ${flags.shortValues})
        if [ -n "$sidecar_rest" ]; then
          sidecar_take "-$sidecar_c" "${tool === 'rg' ? '$' + '{sidecar_rest#=}' : '$sidecar_rest'}"
        else
          sidecar_pending=-$sidecar_c
        fi
        break
        ;;
      *)
        sidecar_why=flag
        break
        ;;
      esac
    done
    ;;
  *) sidecar_operand "$1" ;;
  esac
}

# The whole command line.
sidecar_read() {
  sidecar_pending= sidecar_dashes= sidecar_pattern= sidecar_operands=0 sidecar_walks= sidecar_seen=0
${ENVIRONMENT[tool]}
  for sidecar_arg; do
    sidecar_look "$sidecar_arg"
    [ -z "$sidecar_why" ] || return
  done
  if [ -n "$sidecar_pending" ]; then
    sidecar_why=incomplete
    return
  fi
  [ -n "$sidecar_pattern" ] || sidecar_operands=$((sidecar_operands - 1))
  if [ "$sidecar_operands" -lt 0 ]; then
    sidecar_why=no-pattern
  elif [ "$sidecar_operands" -eq 0 ]; then
    if ${READS_STDIN[tool]}; then sidecar_why=stdin; fi
  fi
}

# The fields of /proc/$1/stat after the name: sidecar_state, sidecar_parent, sidecar_group, sidecar_flags, sidecar_start.
sidecar_stat() {
  { IFS= read -r sidecar_line <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- \${sidecar_line##*) }
  sidecar_state=$1 sidecar_parent=$2 sidecar_group=$3 sidecar_flags=$7 sidecar_start=\${20-}
}

# Who reads what we print (contract: section 3 of docs/shim.md)? Sets sidecar_why, or sidecar_top and sidecar_agent.
sidecar_readers() {
  sidecar_marked="${AGENTS.map((name) => `\${${name}-}`).join('')}"
  sidecar_file=
  if [ -t 1 ]; then
    [ -n "$sidecar_marked" ] || sidecar_why=terminal
  elif [ -f /proc/self/fd/1 ]; then
    sidecar_file=1
    [ -n "$sidecar_marked" ] && [ /proc/self/fd/1 -ef /proc/self/fd/2 ] || sidecar_why=file
  elif [ ! -p /proc/self/fd/1 ] && [ ! -S /proc/self/fd/1 ]; then
    sidecar_why=device
  fi
  sidecar_p=$PPID sidecar_top= sidecar_carried= sidecar_carrier=$$ sidecar_hops=0
  while [ -z "$sidecar_why" ] && [ "$sidecar_p" -gt 0 ]; do
    sidecar_hops=$((sidecar_hops + 1))
    sidecar_kind=
    { IFS= read -r sidecar_name <"/proc/$sidecar_p/comm"; } 2>/dev/null || sidecar_why=no-proc
    case $sidecar_name in
    ${SHELLS}) sidecar_kind=shell ;;
    ${CARRIERS}) sidecar_kind=carrier ;;
    *)
      # A script is named after itself: its program tells.
      for sidecar_c in ${SHELL_FILES.join(' ')}; do
        [ "/proc/$sidecar_p/exe" -ef "$sidecar_c" ] && sidecar_kind=shell && break
      done
      ;;
    esac
    case $sidecar_kind in
    shell)
      [ "/proc/$sidecar_p/fd/1" -ef /proc/self/fd/1 ] || sidecar_why=captured
      sidecar_top=$sidecar_p
      # dash and ash redirect themselves for the time of a command, so the comparison above says nothing.
      if [ -n "$sidecar_file" ]; then
        case $sidecar_name in dash | ash | busybox) sidecar_why=file ;; esac
        [ "/proc/$sidecar_p/exe" -ef /bin/dash ] || [ "/proc/$sidecar_p/exe" -ef /bin/busybox ] && sidecar_why=file
      fi
      ;;
    carrier) sidecar_carried=$sidecar_name sidecar_carrier=$sidecar_p ;;
    *) break ;;
    esac
    [ "$sidecar_hops" -lt 64 ] || sidecar_why=depth
    sidecar_stat "$sidecar_p" || sidecar_why=no-proc
    sidecar_p=$sidecar_parent
  done
  sidecar_agent=$sidecar_p
  [ -z "$sidecar_why" ] || return
  # Without a shell above: bash and zsh leave the name of what they became in \`_\`. Anybody else is a parser.
  if [ -z "$sidecar_top" ]; then
    if [ -n "$sidecar_file" ]; then
      sidecar_why=file
    elif [ "\${SIDECAR_SPAWN-}" != shell ] && { [ -z "$sidecar_via" ] || [ ! "$sidecar_via" -ef "$0" ]; }; then
      [ -n "$sidecar_carried" ] && [ "\${sidecar_via##*/}" = "$sidecar_carried" ] || sidecar_why=spawned
    fi
    # It kept the number of the shell that it replaced.
    sidecar_top=$sidecar_carrier
  fi
}

# One block for a top-level command: what names it, and whether it has had its block.
sidecar_once() {
  sidecar_key=
  sidecar_run=\${XDG_RUNTIME_DIR-}
  case $sidecar_run in /*) sidecar_run=$sidecar_run/sidecar ;; *) sidecar_run=$sidecar_cache/run ;; esac
  [ -n "$sidecar_top" ] || return
  sidecar_stat self || return
  sidecar_own=$sidecar_group
  sidecar_stat "$sidecar_top" || return
  if [ "$sidecar_own" != "$sidecar_group" ]; then
    # Job control: the group is the command.
    [ "$sidecar_own" != "$$" ] && sidecar_stat "$sidecar_own" || return
    sidecar_key=$sidecar_own-$sidecar_start
  else
    sidecar_key=$sidecar_top-$sidecar_start
  fi
  [ ! -e "$sidecar_run/commands/$sidecar_key" ] || sidecar_why=repeated
}

sidecar_read "$@"
if [ -z "$sidecar_why" ]; then
  sidecar_top= sidecar_agent=$PPID
  [ "\${SIDECAR_MODE-}" = always ] || sidecar_readers
fi
[ -n "$sidecar_why" ] || sidecar_once
if [ -n "$sidecar_why" ]; then
  [ -z "\${SIDECAR_LOG-}" ] || sidecar_log exec "$sidecar_why"
  sidecar_exec "$@"
fi

# From here on this shell is the parent of the real tool and of the evidence side, and what signals reach.
if [ -h "$0" ] && [ -z "\${SIDECAR_HOME-}" ]; then
  sidecar_home=$(readlink -f -- "$0") && sidecar_home=\${sidecar_home%/*/*}
fi

# Kills every child but $1. A child that ends while the list is made can hide another one in it, so it is read until it
# stays the same; ended children stay in it until they are waited for.
sidecar_kill() {
  sidecar_kids=
  sidecar_known=-
  while [ "$sidecar_kids" != "$sidecar_known" ]; do
    sidecar_known=$sidecar_kids
    { IFS= read -r sidecar_kids </proc/$$/task/$$/children; } 2>/dev/null
    for sidecar_c in $sidecar_kids; do
      [ "$sidecar_c" = "$1" ] || kill -KILL "$sidecar_c" 2>/dev/null
    done
  done
}

sidecar_stop() {
  trap '' TERM HUP INT QUIT
  # The shell starts background commands with INT and QUIT ignored: TERM ends the real tool as they would.
  case $1 in HUP) sidecar_c=HUP ;; *) sidecar_c=TERM ;; esac
  # Until it has become the real tool it is this shell once more, and loses a signal. The kernel marks it (64) till then.
  while sidecar_stat "$sidecar_pid" && [ "$sidecar_state" != Z ] && [ $((sidecar_flags & 64)) -ne 0 ]; do :; done
  kill -"$sidecar_c" "$sidecar_pid" 2>/dev/null
  sidecar_kill "$sidecar_pid"
  wait
  trap - "$1"
  kill -"$1" $$
}

# The same search once more, for its matches: the caller's flags, with ours after them.
sidecar_evidence() {
  if [ -z "$sidecar_dashes" ]; then
    sidecar_exec "$@" ${FLAGS[tool].override.join(' ')}
  fi
  sidecar_left=$#
  while [ "$sidecar_left" -gt 0 ]; do
    sidecar_dashes=$((sidecar_dashes - 1))
    [ "$sidecar_dashes" -ne 0 ] || set -- "$@" ${FLAGS[tool].override.join(' ')}
    set -- "$@" "$1"
    shift
    sidecar_left=$((sidecar_left - 1))
  done
  sidecar_exec "$@"
}

# Whether the evidence side is there but does not yet run its program, which renames it.
sidecar_starting() {
  sidecar_name=
  { IFS= read -r sidecar_name <"/proc/$sidecar_node/comm"; } 2>/dev/null
  [ -n "$sidecar_name" ] && [ "$sidecar_name" != sidecar ]
}

# A child has ended: the evidence side (an ended process has no program), or the time that it has for its start.
sidecar_watch() {
  if [ ! -e "/proc/$sidecar_node/exe" ]; then
    sidecar_kill ''
  elif [ -n "$sidecar_sleep" ] && [ ! -e "/proc/$sidecar_sleep/exe" ]; then
    sidecar_sleep=
    if sidecar_starting; then sidecar_kill ''; fi
  fi
}

# Until all have started a signal is only noted, and without a simple command: bash runs traps even while it starts a
# pipeline, and waits for the half that it has started as soon as a trap has run one.
sidecar_signal=
trap 'case \${sidecar_signal:=TERM} in esac' TERM
trap 'case \${sidecar_signal:=HUP} in esac' HUP
trap 'case \${sidecar_signal:=INT} in esac' INT
trap 'case \${sidecar_signal:=QUIT} in esac' QUIT
# bash reports children that die of a signal, which is not for the reader of a search.
exec 9<&0 7>&2 2>/dev/null
sidecar_exec "$@" <&9 2>&7 9<&- 7>&- &
sidecar_pid=$!
sidecar_evidence "$@" </dev/null 9<&- 7>&- |
  NODE_OPTIONS= NODE_EXTRA_CA_CERTS= "\${SIDECAR_NODE:-node}" "$sidecar_home/dist/shim/evidence.cjs" \\
    ${tool} "$$" "$sidecar_pid" "$sidecar_agent" "$sidecar_run" "$sidecar_key" "$@" 3>&1 >/dev/null 9<&- 7>&- &
sidecar_node=$!
exec 9<&- 7>&-
trap 'sidecar_stop TERM' TERM
trap 'sidecar_stop HUP' HUP
trap 'sidecar_stop INT' INT
trap 'sidecar_stop QUIT' QUIT
[ -z "$sidecar_signal" ] || sidecar_stop "$sidecar_signal"
wait "$sidecar_pid"
sidecar_status=$?
case $sidecar_status in
0 | 2)
  # Descriptor 8 is how the evidence side, which looks at this process, learns that the search ended well.
  exec 8</dev/null
  sidecar_sleep=
  if sidecar_starting; then
    # Its own deadline does not run yet: keep one for it.
    sidecar_c=${DEADLINE}
    case \${SIDECAR_DEADLINE-} in
    '' | *[!0-9]* | 0* | ??????*) ;;
    *)
      sidecar_c=$((SIDECAR_DEADLINE % 1000 + 1000))
      sidecar_c=$((SIDECAR_DEADLINE / 1000)).\${sidecar_c#1}
      ;;
    esac
    sleep "$sidecar_c" </dev/null >/dev/null 8<&- &
    sidecar_sleep=$!
  fi
  # Waiting for a process waits for all of its pipeline: the second run must not outlive its reader.
  trap sidecar_watch CHLD
  sidecar_watch
  while [ -e "/proc/$sidecar_node/exe" ]; do
    wait "$sidecar_node"
    # Its number may be another process's by now.
    [ "$?" -ne 127 ] || break
  done
  trap - CHLD
  ;;
*) [ -z "\${SIDECAR_LOG-}" ] || sidecar_log none no-match ;;
esac
sidecar_kill ''
wait
if [ "$sidecar_status" -gt 128 ]; then
  trap - TERM HUP INT QUIT
  kill -$((sidecar_status - 128)) $$
fi
exit "$sidecar_status"
`;
}

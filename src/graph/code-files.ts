/** Which files are written in a programming language, by name alone: history and roles are decided before a file is read. */

/** Extensions of programming languages and of single-file components, lower case, without the dot. */
const PROGRAMMING = new Set(
  `adb ads agda ahk applescript as asm astro awk bal bas bash bat bzl c c++ cbl cc cjs cl clj cljc cljs cmd cob coffee cpp cr cs
   cshtml csx cts cu cuh cxx cython d dart dfm dpr e eex el elm erl es6 ex exs f f03 f08 f77 f90 f95 fish for frag fs fsi fsx
   gd geo gleam glsl gn go gradle graphql groovy gsp h h++ hack haml hcl heex hh hlsl hpp hrl hs hx hxx idl idr inc ino ipp
   java jl js jsm jsp jsx julia kt kts leex lean lhs libsonnet jsonnet lisp ll lsp lua m metal mjs ml mli mm mojo move mts nim
   nix nu odin p6 pas php phtml pike pl plx pm pony pp pro prolog proto ps1 psd1 psm1 purs pxd pxi py pyi pyw pyx qml r rake rb
   re rego rei res rkt robot ron rs s sas sbt sc scala scm sh sml sol sql ss st star sv svelte svh swift t tcl tf thrift ts tsx
   v vala vb vba vbs vert vhd vhdl vim vue wgsl wast wat x86 y yul zig zsh`.split(/\s+/),
);

/** Files of a programming language that carry no extension. */
const PROGRAMMING_NAMES = new Set(['rakefile', 'gemfile', 'build.bazel', 'sconstruct', 'sconscript', 'wscript']);

/** The last path segment in lower case. */
export function lowerBasename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** The extension in lower case without the dot, '' where the name has none; a leading dot starts no extension. */
export function extensionOf(path: string): string {
  const name = lowerBasename(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

/** Whether the file is code of some programming language, tests included. */
export function isCodeFile(path: string): boolean {
  const extension = extensionOf(path);
  return extension === '' ? PROGRAMMING_NAMES.has(lowerBasename(path)) : PROGRAMMING.has(extension);
}

// references prints, for the Go modules below a folder, every reference that go/types
// resolves, one JSON object a line, in the form of ../scip-references.mjs:
//
//	{"from","line","name","to","toLine","symbol","kind"}
//
// `to` is null for what lies outside the folder: packages out there are replaced by empty
// ones, so what only they could resolve is missing. The output is a lower bound, and right
// where it speaks. Kind "implements" is not a reference: the type at line satisfies the
// interface at toLine.
//
// usage: go run . DIR > references.ndjson
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type reference struct {
	From   string  `json:"from"`
	Line   int     `json:"line"`
	Name   string  `json:"name"`
	To     *string `json:"to"`
	ToLine int     `json:"toLine,omitempty"`
	Symbol string  `json:"symbol,omitempty"`
	Kind   string  `json:"kind"`
}

type module struct{ path, dir string }

// checked is one type-checked package; a package with its tests is another one.
type checked struct {
	pkg   *types.Package
	info  *types.Info
	files []*ast.File
}

var (
	root       string
	fset       = token.NewFileSet()
	modules    []module
	packages   = map[string]*types.Package{}
	outside    = map[string]*types.Package{}
	results    []checked
	moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)"?`)
)

// folderOf is the folder of an import path inside the tree, or "".
func folderOf(path string) string {
	for _, m := range modules {
		if path != m.path && !strings.HasPrefix(path, m.path+"/") {
			continue
		}
		dir := filepath.Join(m.dir, strings.TrimPrefix(path, m.path))
		if st, err := os.Stat(dir); err == nil && st.IsDir() {
			return dir
		}
	}
	return ""
}

// importPathOf is the opposite: the innermost module that holds the folder decides.
func importPathOf(dir string) string {
	var best module
	for _, m := range modules {
		if (dir == m.dir || strings.HasPrefix(dir, m.dir+"/")) && len(m.dir) > len(best.dir) {
			best = m
		}
	}
	if best.dir == "" {
		return ""
	}
	return strings.TrimSuffix(best.path+"/"+strings.Trim(strings.TrimPrefix(dir, best.dir), "/"), "/")
}

type importer struct{}

func (importer) Import(path string) (*types.Package, error) {
	if dir := folderOf(path); dir != "" {
		if pkg := load(path, dir); pkg != nil {
			return pkg, nil
		}
	}
	if pkg, ok := outside[path]; ok {
		return pkg, nil
	}
	pkg := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	pkg.MarkComplete()
	outside[path] = pkg
	return pkg, nil
}

func parse(dir string, tests bool) []*ast.File {
	var files []*ast.File
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") != tests {
			continue
		}
		if ok, _ := build.Default.MatchFile(dir, name); !ok {
			continue
		}
		if file, _ := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution); file != nil {
			files = append(files, file)
		}
	}
	return files
}

func load(path, dir string) *types.Package {
	if pkg, ok := packages[path]; ok {
		return pkg
	}
	files := parse(dir, false)
	if len(files) == 0 {
		return nil
	}
	packages[path] = types.NewPackage(path, files[0].Name.Name) // stops import cycles
	packages[path] = check(path, files)
	return packages[path]
}

func check(path string, files []*ast.File) *types.Package {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer{}, Error: func(error) {}, FakeImportC: true, DisableUnusedImportCheck: true}
	pkg, _ := conf.Check(path, fset, files, info)
	results = append(results, checked{pkg, info, files})
	return pkg
}

func kindOf(object types.Object) string {
	switch object := object.(type) {
	case *types.Func:
		return "function"
	case *types.TypeName:
		if _, ok := object.Type().(*types.TypeParam); ok {
			return "local"
		}
		return "type"
	case *types.PkgName, *types.Label, *types.Builtin, *types.Nil:
		return ""
	}
	variable, isVariable := object.(*types.Var)
	if (isVariable && variable.IsField()) || object.Pkg() == nil || object.Parent() == object.Pkg().Scope() {
		return "term"
	}
	return "local"
}

func relative(file string) string {
	path, _ := filepath.Rel(root, file)
	return filepath.ToSlash(path)
}

func at(pos token.Pos) (string, int) {
	position := fset.Position(pos)
	return relative(position.Filename), position.Line
}

// use is the reference of one identifier, or nothing where it says nothing.
func use(id *ast.Ident, object types.Object) (reference, bool) {
	kind := kindOf(object)
	if kind == "" {
		return reference{}, false
	}
	from, line := at(id.Pos())
	found := reference{From: from, Line: line, Name: id.Name, Symbol: object.Name(), Kind: kind}
	if object.Pos().IsValid() {
		to, toLine := at(object.Pos())
		found.To, found.ToLine = &to, toLine
	}
	return found, true
}

// uses visits a file; the selections of a package outside the tree are references to the outside.
func uses(file *ast.File, info *types.Info, emit func(reference)) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			id, ok := node.X.(*ast.Ident)
			if !ok {
				return true
			}
			if name, ok := info.Uses[id].(*types.PkgName); ok && outside[name.Imported().Path()] != nil {
				from, line := at(node.Sel.Pos())
				emit(reference{From: from, Line: line, Name: node.Sel.Name, Symbol: node.Sel.Name, Kind: "term"})
			}
		case *ast.Ident:
			if object := info.Uses[node]; object != nil {
				if found, ok := use(node, object); ok {
					emit(found)
				}
			}
		}
		return true
	})
}

// implementations compares every type of the tree with every interface that has methods.
func implementations(emit func(reference)) {
	var concrete, interfaces []*types.TypeName
	for _, result := range results {
		scope := result.pkg.Scope()
		for _, name := range scope.Names() {
			object, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || object.IsAlias() {
				continue
			}
			if named, ok := object.Type().(*types.Named); !ok || named.TypeParams().Len() > 0 {
				continue
			}
			// `type request http.Request`: of a type whose package is an empty one here go/types knows nothing, and
			// says that it satisfies every interface.
			if object.Type().Underlying() == types.Typ[types.Invalid] {
				continue
			}
			if iface, ok := object.Type().Underlying().(*types.Interface); !ok {
				concrete = append(concrete, object)
			} else if iface.NumMethods() > 0 {
				interfaces = append(interfaces, object)
			}
		}
	}
	for _, object := range concrete {
		for _, target := range interfaces {
			iface := target.Type().Underlying().(*types.Interface)
			if !types.Implements(object.Type(), iface) && !types.Implements(types.NewPointer(object.Type()), iface) {
				continue
			}
			from, line := at(object.Pos())
			to, toLine := at(target.Pos())
			emit(reference{From: from, Line: line, Name: target.Name(), To: &to, ToLine: toLine, Symbol: target.Name(), Kind: "implements"})
		}
	}
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	var dirs []string
	filepath.Walk(root, func(path string, st os.FileInfo, err error) error {
		if err != nil {
			return nil
		}
		if st.IsDir() {
			name := st.Name()
			if path != root && (name == "vendor" || name == "testdata" || name == "node_modules" || name[0] == '.' || name[0] == '_') {
				return filepath.SkipDir
			}
			dirs = append(dirs, path)
		} else if st.Name() == "go.mod" {
			if text, err := os.ReadFile(path); err == nil {
				if match := moduleLine.FindSubmatch(text); match != nil {
					modules = append(modules, module{string(match[1]), filepath.Dir(path)})
				}
			}
		}
		return nil
	})
	sort.Slice(modules, func(i, j int) bool { return len(modules[i].path) > len(modules[j].path) })

	for _, dir := range dirs {
		path := importPathOf(dir)
		if path == "" {
			continue
		}
		load(path, dir)
		var inside, external []*ast.File
		for _, file := range parse(dir, true) {
			if strings.HasSuffix(file.Name.Name, "_test") {
				external = append(external, file)
			} else {
				inside = append(inside, file)
			}
		}
		if len(inside) > 0 {
			check(path, append(parse(dir, false), inside...))
		}
		if len(external) > 0 {
			check(path+"_test", external)
		}
	}

	seen := map[string]bool{}
	emit := func(found reference) {
		line, _ := json.Marshal(found)
		seen[string(line)] = true
	}
	for _, result := range results {
		for _, file := range result.files {
			uses(file, result.info, emit)
		}
	}
	implementations(emit)
	lines := make([]string, 0, len(seen))
	for line := range seen {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, line := range lines {
		out.WriteString(line + "\n")
	}
}

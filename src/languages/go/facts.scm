; Only the declarations of a file are taken from the grammar. What is inside them is read from
; their text by reader.ts: types of locals need whole expressions, and a capture for each part of
; each expression would cost more than the parse.

(package_clause (package_identifier) @package)

(import_declaration) @import

(source_file (function_declaration) @function)
(source_file (method_declaration) @method)
(source_file (type_declaration) @type)
(source_file (var_declaration) @var)
(source_file (const_declaration) @const)

; Declarations that follow a syntax error end up below it.
(ERROR (function_declaration) @function)
(ERROR (method_declaration) @method)
(ERROR (type_declaration) @type)
(ERROR (var_declaration) @var)
(ERROR (const_declaration) @const)

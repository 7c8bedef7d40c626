; The structure that names live in. Names themselves come from the tokens (tokens.ts): a capture
; costs far more than a token, and most of a file is names.
[(function_declaration) (generator_function_declaration)] @function
[(function_expression) (generator_function) (arrow_function)] @lambda
(method_definition) @method
[(class_declaration) (class)] @class

; What a lexer cannot tell apart by itself.
(regex) @regex

; What defines, binds or imports. What merely uses names is found by scanning the text (scan.ts):
; a capture costs far more than a character.

(function_definition
  name: (identifier) @function.name
  parameters: (parameters) @function.parameters
  return_type: (type)? @function.returns
  body: (block) @function.body) @function

(class_definition
  name: (identifier) @class.name
  superclasses: (argument_list)? @class.bases
  body: (block) @class.body) @class

(decorated_definition) @decorated

(import_statement) @import
(import_from_statement) @import
(future_import_statement) @future

(assignment left: (_) @assign type: (_)? @assign.type right: (_)? @assign.value)
(named_expression name: (_) @walrus value: (_) @walrus.value)
(for_statement left: (_) @for right: (_) @for.value)
(for_in_clause left: (_) @for right: (_) @for.value)
(with_item value: (as_pattern (_) @with.value alias: (as_pattern_target) @with))
(except_clause value: (as_pattern (_) @except.value alias: (as_pattern_target) @except))
(case_clause (case_pattern) @case)
(type_alias_statement left: (_) @alias right: (_) @alias.value)

(lambda parameters: (lambda_parameters)? @lambda.parameters) @lambda
(list_comprehension) @comprehension
(set_comprehension) @comprehension
(dictionary_comprehension) @comprehension
(generator_expression) @comprehension

(global_statement) @global
(nonlocal_statement) @nonlocal
(return_statement (_) @return)
(yield (_) @yield)

; What TypeScript adds to JavaScript.
(abstract_class_declaration) @class
(function_signature) @function
[(abstract_method_signature) (method_signature)] @method
(public_field_definition) @field
(interface_declaration) @interface
(interface_body (property_signature) @field)
(type_alias_declaration) @alias
(type_alias_declaration value: (object_type (property_signature) @field))
; `type Props = Readonly<{ ... }>`: what an alias writes out in the arguments of another type are its members, too.
(type_alias_declaration value: (generic_type type_arguments: (type_arguments (object_type (property_signature) @field))))
; Of an intersection only the object type that stands first is what its alias is about; others amend what is before.
(intersection_type . (object_type (property_signature) @field))
(enum_declaration) @enum
[(internal_module) (module)] @namespace

; Where names are types.
[
  (type_annotation)
  (type_predicate_annotation)
  (asserts_annotation)
  (type_arguments)
] @type
(type_parameters) @parameters
[(implements_clause) (extends_type_clause)] @heritage
[(as_expression) (satisfies_expression)] @cast
(interface_body (call_signature) @signature)
(type_alias_declaration value: (object_type (call_signature) @signature))
(intersection_type . (object_type (call_signature) @signature))

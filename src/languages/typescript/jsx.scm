; Text between tags: quotes in it are no strings, and names in it are no names.
(jsx_text) @text
[(jsx_opening_element) (jsx_self_closing_element)] @tag
(jsx_closing_element) @closing

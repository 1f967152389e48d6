/** What a mail says of its codes, as JSON, and whether its bodies differ in them. Mail that was received before counts as mail that says nothing. */
export const statements = () => [
  'alter table messages add column code_details text',
  'alter table messages add column has_other_code integer not null default 0',
]

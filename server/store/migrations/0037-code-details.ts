/** The validity of the codes of a mail, as JSON, and whether its bodies have different ones. Neither is known of mail from before. */
export const statements = () => [
  'alter table messages add column code_details text',
  'alter table messages add column has_other_code integer not null default 0',
]

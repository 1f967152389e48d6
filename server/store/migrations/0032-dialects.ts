/** The dialect of the API that a key calls, and the form and the dialect in which a webhook gets its events. */
export const statements = () => [
  `alter table api_keys add column dialect text not null default 'primary'`,
  `alter table webhooks add column form text not null default 'both'`,
  `alter table webhooks add column dialect text not null default 'primary'`,
]

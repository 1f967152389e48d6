import { Badge, Group } from '@mantine/core'

/** Short names, such as scopes, in a list. */
export const Tags = ({ label, names }: { label: string, names: string[] }) => (
  <Group component="ul" gap={4} my={6} p={0} aria-label={label}>
    {names.map((name) => <Badge key={name} component="li" display="inline-flex" size="sm" variant="default" tt="none" fw={500}>{name}</Badge>)}
  </Group>
)

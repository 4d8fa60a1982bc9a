import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/Stack.css'
import '@mantine/core/styles/Title.css'
import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  title: string
  /** Beside the title: a link to more, or what can be done. */
  aside?: ReactNode
  children: ReactNode
}

/** A part of a page of the dashboard under a title of its own. */
export function Section({ title, aside, children }: Props) {
  return (
    <section>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2}>{title}</Title>
          {aside}
        </Group>
        {children}
      </Stack>
    </section>
  )
}

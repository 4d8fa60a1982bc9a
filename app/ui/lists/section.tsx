import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/Stack.css'
import '@mantine/core/styles/Title.css'
import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  title: string
  /** Beside the title: a link to more, or actions. */
  aside?: ReactNode
  children: ReactNode
}

/** A titled section of a dashboard page. */
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

import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/Text.css'
import '@mantine/core/styles/Title.css'
import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHydrates } from '#app/ui/frame/hydrates.ts'
import css from './page-head.module.css'

type Props = {
  title: string
  /** One line under the title. */
  lead?: ReactNode
  /** The one primary action of the page. */
  action?: ReactNode
}

/** The header of a page: title at the left, primary action at the right. */
export function PageHead({ title, lead, action }: Props) {
  if (useHydrates())
    return (
      <header className={css.above}>
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={1}>{title}</Title>
            {lead && (
              <Text component="div" inherit c="dimmed" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {action}
        </Group>
      </header>
    )
  return (
    <header className={css.head}>
      <div>
        <h1>{title}</h1>
        {lead && <p className={css.lead}>{lead}</p>}
      </div>
      {action}
    </header>
  )
}

import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Card.css'
import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/Title.css'
import { Card, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHydrates } from './hydrates.ts'
import css from './sheet.module.css'

type Props = {
  title?: string
  /** Beside the title, such as a link to more. */
  aside?: ReactNode
  children: ReactNode
}

/** A card: one topic of the page. */
export function Sheet({ title, aside, children }: Props) {
  if (useHydrates())
    return (
      <Card component="section" withBorder className={css.card}>
        {title && (
          <header className={css.above}>
            <Group justify="space-between" align="baseline" gap="xs">
              <Title order={2}>{title}</Title>
              {aside}
            </Group>
          </header>
        )}
        {children}
      </Card>
    )
  return (
    <section className={css.sheet}>
      {title && (
        <header className={css.head}>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  )
}

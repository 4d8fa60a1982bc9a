import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageLink } from './page-link.tsx'

type Props = Pick<
  ButtonProps,
  'variant' | 'size' | 'leftSection' | 'rightSection' | 'fullWidth'
> & {
  to: string
  /** Loads the document instead of navigating on the client. */
  reloadDocument?: true
  children: ReactNode
}

/** A link styled as a button: the main next step of a page. */
export function ButtonLink(props: Props) {
  return <Button component={PageLink} data-button {...props} />
}

import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { Spinner } from '#app/ui/frame/spinner.tsx'

type Props = Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'fullWidth' | 'color'> & {
  children: ReactNode
  name?: string
  value?: string
  /** Overrides the form's action. */
  formAction?: string
}

/** Submits its form. With scripts it shows a spinner while waiting; the label stays. */
export function SubmitButton({ children, leftSection, ...rest }: Props) {
  const isBusy = useNavigation().state === 'submitting'
  return (
    <Button
      type="submit"
      aria-busy={isBusy || undefined}
      leftSection={isBusy ? <Spinner /> : leftSection}
      {...rest}
    >
      {children}
    </Button>
  )
}

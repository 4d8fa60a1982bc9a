import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { Spinner } from '#app/ui/frame/spinner.tsx'
import { usePressed } from './use-pressed.ts'

type Props = Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'fullWidth' | 'color'> & {
  children: ReactNode
  name?: string
  value?: string
  /** Overrides the form's action. */
  formAction?: string
  'aria-label'?: string
}

/** Submits its form. With scripts it shows a spinner while waiting if it was the button pressed; the label stays. */
export function SubmitButton({ children, leftSection, ...rest }: Props) {
  const { button, press, isPressed } = usePressed()
  const isBusy = useNavigation().state === 'submitting' && isPressed()
  return (
    <Button
      ref={button}
      type="submit"
      onClick={press}
      aria-busy={isBusy || undefined}
      leftSection={isBusy ? <Spinner /> : leftSection}
      {...rest}
    >
      {children}
    </Button>
  )
}

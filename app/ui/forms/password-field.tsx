import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'type' | 'defaultValue'> & {
  autoComplete: 'current-password' | 'new-password' | 'off'
}

/** A password. Without the button that would show it: that one is dead where no script runs. */
export function PasswordField(props: Props) {
  return <TextField type="password" spellCheck={false} {...props} />
}

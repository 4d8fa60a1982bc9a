import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'type' | 'defaultValue'> & {
  autoComplete: 'current-password' | 'new-password' | 'off'
}

/** A password field. No reveal button: it would not work without scripts. */
export function PasswordField(props: Props) {
  return <TextField type="password" spellCheck={false} {...props} />
}

import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '#app/ui/text/icon.tsx'
import { useCan } from './use-can.ts'

type Props = {
  text: string
  /** The sentence after the text was copied. */
  done: string
  /** Takes the sentence that the page shows as its status. */
  onSaid: (sentence: string) => void
  children: ReactNode
}

/** Copies `text`. Not rendered without scripts, nor where the browser cannot copy. */
export function CopyButton({ text, done, onSaid, children }: Props) {
  const canCopy = useCan(() => navigator.clipboard !== undefined)
  if (!canCopy) return null
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      onSaid(done)
    } catch {
      onSaid('El navegador no permitió copiar. Selecciónelo y cópielo con el teclado.')
    }
  }
  return (
    <Button
      type="button"
      variant="default"
      leftSection={<Icon name="copy" />}
      onClick={() => void copy()}
    >
      {children}
    </Button>
  )
}

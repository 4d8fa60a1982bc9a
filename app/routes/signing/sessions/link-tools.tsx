import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '#app/ui/forms/copy-button.tsx'
import { useCan } from '#app/ui/forms/use-can.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './signer-link.module.css'

type Props = { address: string; session: string; office: string }

/** Copies, shares and prints the link, each where the browser can; without scripts it is selected and printed by hand. */
export function LinkTools({ address, session, office }: Props) {
  const canShare = useCan(() => typeof navigator.share === 'function')
  const canPrint = useCan(() => true)
  const [said, setSaid] = useState('')
  const share = async () => {
    try {
      await navigator.share({
        title: session,
        text: `Enlace para firmar · ${office}`,
        url: address,
      })
    } catch (error) {
      // The user closed the sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return
      setSaid('El equipo no pudo compartirlo. Cópielo y envíelo.')
    }
  }
  return (
    <div className={css.onScreen}>
      <div className={css.ways}>
        <CopyButton text={address} done="El enlace se copió." onSaid={setSaid}>
          Copiar enlace
        </CopyButton>
        {canShare && (
          <Button
            type="button"
            variant="default"
            leftSection={<Icon name="share" />}
            onClick={() => void share()}
          >
            Compartir
          </Button>
        )}
        {canPrint && (
          <Button
            type="button"
            variant="default"
            leftSection={<Icon name="print" />}
            onClick={() => print()}
          >
            Imprimir
          </Button>
        )}
      </div>
      <p className={css.said} role="status">
        {said}
      </p>
      <noscript>
        <p className={css.quiet}>
          Para copiarlo, selecciónelo. Para imprimirlo, elija “Imprimir” en el menú de su navegador:
          sale una hoja con las instrucciones.
        </p>
      </noscript>
    </div>
  )
}

import { useState } from 'react'
import { CopyButton } from '#app/ui/forms/copy-button.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { QrPicture } from '#app/ui/text/qr-picture.tsx'
import type { DocumentView } from './document-view.ts'
import css from './public-address.module.css'

type Address = NonNullable<DocumentView['publicLookup']['address']>

/** Where the public verifies the document, to scan, copy or print. */
export function PublicAddress({ address: { url, qr } }: { address: Address }) {
  const [said, setSaid] = useState('')
  return (
    <div className={css.place}>
      <QrPicture qr={qr} label="Código QR de la dirección de verificación" size="sm" />
      <FactList>
        <Fact name="Dirección de verificación">{url}</Fact>
      </FactList>
      <div className={css.copy}>
        <CopyButton text={url} done="La dirección se copió." onSaid={setSaid}>
          Copiar dirección
        </CopyButton>
        <p className={css.said} role="status">
          {said}
        </p>
      </div>
    </div>
  )
}

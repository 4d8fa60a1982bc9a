import { Badge } from '#app/ui/feedback/badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import type { Tone } from '#app/ui/feedback/tone.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { HeldFor } from '#server/domain/signing/session/held-for.ts'
import css from './guest.module.css'
import type { GuestView } from './guest-view.ts'

const LOOKS: Record<HeldFor, { tone: Tone; icon: IconName; word: string }> = {
  now: { tone: 'wait', icon: 'pencil', word: 'Por firmar' },
  waiting: { tone: 'plain', icon: 'clock', word: 'Espera a otros firmantes' },
  signed: { tone: 'good', icon: 'check', word: 'Firmado' },
  nothing: { tone: 'plain', icon: 'ban', word: 'Ya no se puede firmar' },
}

/** The office's message, and the documents with the next step for each. */
export function GuestDocuments({ view }: { view: GuestView }) {
  const { hasConsented, message, deadline, isOver, documents, canReject, ending } = view
  const toSign = documents.filter(({ held }) => held === 'now').length
  const isDone = !ending && documents.every(({ held }) => held === 'signed')
  return (
    <>
      {isDone && (
        <Notice tone="good" isLive={false}>
          Ya firmó todo. Descargue su copia mientras este enlace esté vigente.
        </Notice>
      )}
      {ending && (
        <Notice tone="wait" isLive={false} title={ending}>
          Ya no se pide su firma. Descargue la copia de lo que firmó mientras este enlace esté
          vigente.
        </Notice>
      )}
      {message && (
        <Sheet title="Mensaje de la notaría">
          <p className={css.message}>{message}</p>
        </Sheet>
      )}
      <Sheet title={toSign === 1 ? 'Un documento por firmar' : 'Documentos'}>
        {deadline && !ending && (
          <p className={css.quiet}>
            {isOver
              ? `El plazo venció el ${deadline}. Si todavía va a firmar, pida a la notaría que lo amplíe.`
              : `Puede firmar hasta el ${deadline}.`}
          </p>
        )}
        {hasConsented && toSign > 1 && (
          <p>
            <ButtonLink to="/sign/batch" leftSection={<Icon name="sign" />}>
              Firmar los {toSign} documentos
            </ButtonLink>
          </p>
        )}
        <ItemList>
          {documents.map((document) => (
            <GuestItem
              key={document.id}
              document={document}
              isOneOfMany={toSign > 1}
              isToRead={!hasConsented}
            />
          ))}
        </ItemList>
      </Sheet>
      {hasConsented && canReject && (
        <p>
          ¿No está de acuerdo con lo que se le pide firmar?{' '}
          <PageLink to="/sign/reject" data-ending>
            Rechazar la firma
          </PageLink>
        </p>
      )}
    </>
  )
}

type ItemProps = {
  document: GuestView['documents'][number]
  /** They cannot sign yet. */
  isToRead: boolean
  /** Signing all at once is the primary action then. */
  isOneOfMany: boolean
}

function GuestItem({ document, isOneOfMany, isToRead }: ItemProps) {
  const { id, title, folio, pages, held } = document
  const { word, ...look } = LOOKS[held]
  const address = `/sign/documents/${id}`
  return (
    <Item
      icon="document"
      name={title}
      badge={<Badge {...look}>{word}</Badge>}
      action={
        held === 'now' && !isToRead ? (
          <ButtonLink
            to={address}
            variant={isOneOfMany ? 'default' : 'filled'}
            leftSection={<Icon name="sign" />}
          >
            Revisar y firmar
          </ButtonLink>
        ) : (
          held !== 'nothing' && (
            <ButtonLink to={address} variant="default">
              {held === 'signed' ? 'Ver mi copia' : 'Leer'}
            </ButtonLink>
          )
        )
      }
    >
      <p>
        Folio {folio} · {pages}
      </p>
    </Item>
  )
}

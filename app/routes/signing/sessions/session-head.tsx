import '@mantine/core/styles/Progress.css'
import { Progress } from '@mantine/core'
import { SigningSessionBadge } from '#app/ui/document/signing-session-badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { ActFact } from './act-fact.tsx'
import css from './session.module.css'
import type { SessionView } from './session-view.ts'

/** The session's title and next step. */
export function SessionHead({ view }: { view: SessionView }) {
  return (
    <PageHead
      title={view.title}
      lead={
        <span className={css.lead}>
          <SigningSessionBadge state={view.state} />
          <span>{stepOf(view)}</span>
        </span>
      }
      action={
        view.isYourTurn && (
          <ButtonLink to={signAddress(view)} leftSection={<Icon name="sign" />}>
            Firmar
          </ButtonLink>
        )
      }
    />
  )
}

/** What the session is, and how far it has come. */
export function SessionFacts({ view }: { view: SessionView }) {
  const { progress } = view
  return (
    <Sheet>
      <FactList>
        <Fact name="Firmas">
          <span className={css.progress}>
            <Progress
              value={Math.round((100 * progress.made) / Math.max(1, progress.wanted))}
              aria-label="Firmas hechas"
              className={css.bar}
            />
            {`${progress.made} de ${progress.wanted}`}
          </span>
        </Fact>
        <Fact name="Acto">{view.act && <ActFact act={view.act} />}</Fact>
        <Fact name="Creada por">{view.author}</Fact>
        <Fact name="Orden">{view.order}</Fact>
        <Fact name="Fecha límite">{view.deadline ?? 'Sin fecha límite'}</Fact>
        <Fact name="En este estado desde">
          <Time at={view.sinceAt}>{view.since}</Time>
        </Fact>
        <Fact name="Motivo">{view.reason}</Fact>
        <Fact name="Mensaje">
          {view.message && <span className={css.message}>{view.message}</span>}
        </Fact>
      </FactList>
    </Sheet>
  )
}

function signAddress({ id, documents }: SessionView): string {
  const [only, ...more] = documents
  return only && more.length === 0
    ? `/dashboard/documents/${only.id}/sign`
    : `/dashboard/signing/batch?session=${id}`
}

const nameOfRejector = (signers: SessionView['signers']) =>
  signers.find(({ state }) => state === 'rejected')?.name ?? 'Un firmante'

/** Returns what the session waits for, and who can act. */
function stepOf({ state, signers, isYourTurn }: SessionView): string {
  switch (state) {
    case 'draft':
      return signers.length > 0 ? 'Revísela y ábrala.' : 'Agregue a los firmantes y abra la sesión.'
    case 'open': {
      if (isYourTurn) return 'Es su turno.'
      const names = signers.filter(({ isInTurn }) => isInTurn).map(({ name }) => name)
      return `Se espera a ${new Intl.ListFormat('es-MX').format(names)}.`
    }
    case 'expired':
      return 'La fecha límite pasó. Amplíela o cancele la sesión.'
    case 'completed':
      return 'Todas las firmas están completas.'
    case 'rejected':
      return `${nameOfRejector(signers)} la rechazó. Corrija lo que haga falta y cree otra sesión.`
    case 'cancelled':
      return 'La notaría la canceló.'
  }
}

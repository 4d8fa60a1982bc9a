import { Badge } from '#app/ui/feedback/badge.tsx'
import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { Email } from '#app/ui/text/email.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { hindrances, rejectionProofs } from '#server/words/signing.ts'
import { type PartyOffer, PartySearch } from './party-search.tsx'
import css from './session.module.css'
import { SessionActionForm } from './session-action-form.tsx'
import { faultOf, type SessionFault } from './session-fault.ts'
import type { SessionView, SignerView } from './session-view.ts'
import { SignerActions } from './signer-actions.tsx'
import { type Colleague, ExternalSignerFields, UserSignerFields } from './signer-fields.tsx'
import { standingOf } from './signer-standing.ts'

type Props = {
  view: SessionView
  colleagues: readonly Colleague[]
  offer: PartyOffer
  fault: SessionFault | undefined
}

/** The signers, whose turn it is, and the actions for each. */
export function SessionSigners({ view, colleagues, offer, fault }: Props) {
  const isDraft = view.state === 'draft' && view.canManage
  const path = `/dashboard/signing/${view.id}`
  const isUserKept = useIsKeptForm(path, { intent: 'add-user' })
  const isExternalKept = useIsKeptForm(path, { intent: 'add-external' })
  return (
    <Sheet title="Firmantes">
      {view.signers.length === 0 && <p className={css.quiet}>Todavía no hay firmantes.</p>}
      <ItemList>
        {view.signers.map((signer) => (
          <Item
            key={signer.id}
            icon={signer.isExternal ? 'phone' : 'people'}
            name={signer.name}
            badge={<SignerBadge signer={signer} session={view.state} />}
          >
            <p className={css.quiet}>
              {describe(signer)} · <Contact {...signer} />
            </p>
            {signer.reason && <p className={css.quiet}>Motivo: {signer.reason}</p>}
            {signer.proof && <p className={css.quiet}>{rejectionProofs[signer.proof]}</p>}
            {signer.reminded && <p className={css.quiet}>Último recordatorio: {signer.reminded}</p>}
            {signer.hindrance && (
              <p>
                <span className={css.hindrance}>{hindrances[signer.hindrance]}</span>
              </p>
            )}
            {view.canManage && signer.isExternal && view.state !== 'draft' && (
              <p data-alone>
                <PageLink to={`/dashboard/signing/${view.id}/links/${signer.id}`}>
                  Su enlace para firmar
                </PageLink>
              </p>
            )}
            {view.canManage && (
              <SignerActions view={view} signer={signer} colleagues={colleagues} fault={fault} />
            )}
          </Item>
        ))}
      </ItemList>
      {isDraft && (
        <div className={css.adds}>
          <details
            className={folds.fold}
            open={view.signers.length === 0 || isUserKept || isAt(fault, 'add-user')}
          >
            <summary>Agregar a una persona de la notaría</summary>
            <SessionActionForm
              key={newestOf(view, false)}
              id={view.id}
              intent="add-user"
              className={folds.form}
            >
              <UserSignerFields
                prefix="add-user"
                colleagues={colleagues}
                step={nextStep(view)}
                fault={faultOf(fault, 'add-user')}
              />
              <SubmitButton variant="default">Agregar firmante</SubmitButton>
            </SessionActionForm>
          </details>
          <details
            // The page stays mounted: a search or a chosen party opens it.
            key={`${offer.text} ${offer.chosen?.id}`}
            className={folds.fold}
            open={
              isAt(fault, 'add-external') ||
              isExternalKept ||
              offer.text !== '' ||
              offer.chosen !== undefined
            }
          >
            <summary>Agregar a una persona externa</summary>
            <PartySearch sessionId={view.id} offer={offer} />
            <SessionActionForm
              key={`${newestOf(view, true)} ${offer.chosen?.id}`}
              id={view.id}
              intent="add-external"
              className={folds.form}
            >
              <ExternalSignerFields
                prefix="add-external"
                party={offer.chosen}
                step={nextStep(view)}
                fault={faultOf(fault, 'add-external')}
              />
              <SubmitButton variant="default">Agregar firmante externo</SubmitButton>
            </SessionActionForm>
          </details>
        </div>
      )}
    </Sheet>
  )
}

/**
 * A key that changes with each added signer. The page stays mounted after a form was sent, and its fields would
 * keep what was typed: a new key gives empty ones.
 */
function newestOf({ signers }: SessionView, isExternal: boolean): string {
  const own = signers.filter((signer) => signer.isExternal === isExternal)
  const newest = Math.max(0, ...own.map(({ sinceAt }) => sinceAt))
  return [newest, own.length, ...own.map(({ character }) => character.length)].join(' ')
}

const isAt = (fault: SessionFault | undefined, intent: string) => fault?.intent === intent

const nextStep = ({ signers }: SessionView) =>
  Math.min(40, Math.max(0, ...signers.map(({ step }) => step)) + 1)

const describe = ({ step, character, rfc }: SignerView) =>
  [`Orden ${step}`, character, `RFC ${rfc}`].join(' · ')

/** Colleagues are told at the address of their account. */
function Contact({ email, isExternal }: SignerView) {
  if (!isExternal) return 'de la notaría'
  return email ? <Email address={email} /> : 'sin correo electrónico'
}

function SignerBadge({ signer, session }: { signer: SignerView; session: SessionView['state'] }) {
  const [tone, text] = standingOf(signer, session)
  return <Badge tone={tone}>{text}</Badge>
}

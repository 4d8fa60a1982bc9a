import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './session.module.css'
import type { OfferedParty } from './signer-fields.tsx'

/** What the catalogue offers for the form of an external signer. */
export type PartyOffer = {
  /** The search; empty if there was none. */
  text: string
  found: readonly OfferedParty[]
  /** The party whose data the form begins with. */
  chosen: OfferedParty | undefined
}

/** Searches the catalogue of parties. A result is a link to this page with a form that it fills in. */
export function PartySearch({ sessionId, offer }: { sessionId: string; offer: PartyOffer }) {
  const path = `/dashboard/signing/${sessionId}`
  const { text, found, chosen } = offer
  return (
    <div className={css.offer}>
      <SearchForm
        action={path}
        id="party-text"
        name="party"
        label="Buscar en el catálogo de partes"
        help="Nombre o RFC de quien ya se agregó a otra sesión."
        text={text}
      />
      {found.length > 0 && (
        <ul aria-label="Partes del catálogo">
          {found.map((party) => (
            <li key={party.id}>
              <PageLink
                to={address(path, { party: text, chosen: party.id })}
                aria-current={party.id === chosen?.id ? 'true' : undefined}
                preventScrollReset
              >
                {party.name}
              </PageLink>{' '}
              <span className={css.quiet}>{`RFC ${party.rfc} · ${party.character}`}</span>
            </li>
          ))}
        </ul>
      )}
      {text !== '' && found.length === 0 && (
        <p className={css.quiet}>Ninguna parte del catálogo coincide. Escriba sus datos.</p>
      )}
      {chosen && (
        <p className={css.quiet}>Datos del catálogo: revíselos antes de agregar a {chosen.name}.</p>
      )}
      <p>
        <PageLink to="/dashboard/signing/parties">Ver el catálogo de partes</PageLink>
      </p>
    </div>
  )
}

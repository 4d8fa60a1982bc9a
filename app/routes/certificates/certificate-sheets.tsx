import { CertificateBadge } from '#app/ui/document/certificate-badge.tsx'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { Help } from '#app/ui/text/help.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './certificate-sheets.module.css'
import type { CertificateView } from './certificate-view.ts'

type Props = { view: CertificateView }

/** What it is, whose it is, and how long it is valid. */
export function CertificateSheet({ view }: Props) {
  return (
    <Sheet title="Certificado">
      <p className={css.state}>
        <CertificateBadge standing={view.standing} />
        {view.isTest && <Badge tone="wait">de prueba</Badge>}
        {view.end && <strong>{view.end}</strong>}
      </p>
      <FactList>
        <Fact name="Número de certificado" help="certificateNumber">
          <Hash value={view.number} />
        </Fact>
        <Fact name="Tipo">{view.kind}</Fact>
        <Fact name="De quién es">
          <Owner owner={view.owner} />
        </Fact>
        <Fact name="Vigente desde">{view.from}</Fact>
        <Fact name="Vigente hasta">{view.until}</Fact>
        <Fact name="Revocación" help="revocation">
          {view.revocation}
        </Fact>
        <Fact name="Registrado">{view.firstSeen}</Fact>
      </FactList>
      {!view.chain.fault && (
        <PostForm className={css.ask} preventScrollReset>
          <SubmitButton variant="default">Preguntar al emisor si está revocado</SubmitButton>
        </PostForm>
      )}
    </Sheet>
  )
}

function Owner({ owner }: Pick<CertificateView, 'owner'>) {
  if (!owner) return 'Firmante externo: no es usuario de la notaría'
  return owner.hasPage ? (
    <PageLink to={`/dashboard/users/${owner.id}`}>{owner.name}</PageLink>
  ) : (
    owner.name
  )
}

/** The holder, as the certificate names them. */
export function HolderSheet({ view: { holder, subject } }: Props) {
  return (
    <Sheet title="Titular">
      <FactList>
        <Fact name="RFC">{holder ? (holder.rfc ?? 'Sin RFC') : 'Reservado'}</Fact>
        <Fact name="CURP">{holder ? holder.curp : 'Reservado'}</Fact>
        <Fact name="Representante legal">{holder?.representative}</Fact>
      </FactList>
      <h3 className={css.part}>El nombre como está escrito</h3>
      <NameParts parts={subject} />
    </Sheet>
  )
}

/** Who issued it, and why that counts. */
export function ChainSheet({ view: { issuer, chain } }: Props) {
  return (
    <Sheet title="Emisor y cadena">
      {chain.fault ? (
        <Notice tone="bad" isLive={false}>
          {chain.fault}
        </Notice>
      ) : (
        <>
          <ol className={css.chain}>
            {chain.authorities.map(({ sha256, name, validity }) => (
              <li key={sha256}>
                <strong>{name}</strong>
                <span>{validity}</span>
                <Hash value={sha256} />
              </li>
            ))}
          </ol>
          <div className={css.quiet}>
            La cadena termina en una autoridad de confianza: {chain.label}.{' '}
            <Help about="authority" />
          </div>
        </>
      )}
      <h3 className={css.part}>El emisor como está escrito</h3>
      <NameParts parts={issuer} />
    </Sheet>
  )
}

function NameParts({ parts }: { parts: CertificateView['subject'] }) {
  return (
    <FactList>
      {parts.map(({ place, name, value }) => (
        <Fact key={place} name={name}>
          {value}
        </Fact>
      ))}
    </FactList>
  )
}

/** Key, uses, extensions and fingerprints. */
export function TechnicalSheet({ view }: Props) {
  const { technical, extensions, fingerprints } = view
  return (
    <Sheet title="Datos técnicos">
      <FactList>
        <Fact name="Clave pública" help="publicKey">
          {technical.key}
        </Fact>
        <Fact name="Algoritmo de firma">{technical.signature}</Fact>
        <Fact name="Uso de la clave">{technical.usage}</Fact>
        <Fact name="Uso extendido">{technical.purposes}</Fact>
        <Fact name="Tipo de certificado (Netscape)">{technical.netscape}</Fact>
        <Fact name="Autoridad">{technical.authority}</Fact>
        <Fact name="Políticas">{technical.policies ?? 'No nombra ninguna'}</Fact>
        <Fact name="OCSP" help="ocsp">
          {technical.ocsp?.join(' · ') ?? 'No indica dónde preguntar'}
        </Fact>
        <Fact name="Listas de revocación" help="lists">
          {technical.lists?.join(' · ') ?? 'No indica ninguna'}
        </Fact>
        <Fact name="Identificador de la clave">
          {technical.identifier && <Hash value={technical.identifier} />}
        </Fact>
        <Fact name="Versión">{`X.509 v${technical.version}`}</Fact>
        <Fact name="Número de serie (hexadecimal)">
          <Hash value={fingerprints.serial} />
        </Fact>
        <Fact name="Huella digital (SHA-256)" help="fingerprint">
          <Hash value={view.sha256} />
        </Fact>
        <Fact name="Huella digital (SHA-1)">
          <Hash value={fingerprints.sha1} />
        </Fact>
        <Fact name="Extensiones">
          {extensions.length > 0
            ? extensions
                .map(({ name, isCritical }) => (isCritical ? `${name} (crítica)` : name))
                .join(', ')
            : 'Ninguna'}
        </Fact>
      </FactList>
    </Sheet>
  )
}

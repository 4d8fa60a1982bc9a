import { Badge } from '#app/ui/feedback/badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import type { Tone } from '#app/ui/feedback/tone.ts'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { AttestationVerdict } from '#server/domain/yubikeys/judge-attestation.ts'
import css from './key.module.css'
import { type Fault, KeyActionForm } from './key-action-form.tsx'
import type { KeyView } from './key-view.ts'
import { YubikeyBadge } from './state-badge.tsx'

type Props = { view: KeyView }

/** What the key is, and who has it. */
export function KeySheet({ view }: Props) {
  const { holder, state } = view
  return (
    <Sheet title="Llave">
      <p className={css.state}>
        <YubikeyBadge state={state} />
        <span>
          desde el {view.since}, por {view.by}
        </span>
      </p>
      <FactList>
        <Fact name="Número de serie">{view.serial}</Fact>
        <Fact name="Modelo">{view.model}</Fact>
        <Fact name="Forma">{view.form}</Fact>
        <Fact name="Firmware">{view.firmware}</Fact>
        <Fact name={state === 'lost' ? 'La tenía' : 'La tiene'}>
          {holder && (holder.isOneself ? `${holder.name} (usted)` : holder.name)}
        </Fact>
      </FactList>
    </Sheet>
  )
}

const VERDICT_TONES: Record<AttestationVerdict['kind'], Tone> = {
  proven: 'good',
  unchecked: 'wait',
  refuted: 'bad',
}

/** What the device says of the keys that it made, and whether its maker stands behind it. */
export function AttestationSheet({ view }: Props) {
  const { attestations, may, id, hasMakerRoot } = view
  return (
    <Sheet
      title="Atestación PIV"
      aside={
        may.attest && (
          <PageLink to={`/dashboard/certificates/keys/${id}/attestation`}>
            Agregar atestación
          </PageLink>
        )
      }
    >
      {!hasMakerRoot && (
        <Notice tone="wait" isLive={false}>
          No se ha agregado la raíz del fabricante; la atestación no se puede comprobar.{' '}
          {may.readMakers && (
            <PageLink to="/dashboard/certificates/keys/makers">Raíces del fabricante</PageLink>
          )}
        </Notice>
      )}
      {attestations.length === 0 && (
        <p className={css.quiet}>
          Sin atestación guardada: no consta que la clave de su certificado se haya creado en el
          dispositivo. Una clave importada no se puede atestar.
        </p>
      )}
      {attestations.map((attestation) => (
        <AttestationFacts key={attestation.version} attestation={attestation} />
      ))}
    </Sheet>
  )
}

function AttestationFacts({ attestation }: { attestation: KeyView['attestations'][number] }) {
  return (
    <section className={css.attestation}>
      <h3>{attestation.slot}</h3>
      <p>
        <Badge tone={VERDICT_TONES[attestation.verdict]}>{attestation.title}</Badge>{' '}
        {attestation.isTest && <Badge tone="wait">de prueba</Badge>}
      </p>
      <p>{attestation.text}</p>
      {attestation.isWeak && (
        <Notice tone="bad" isLive={false}>
          El firmware {attestation.firmware} creaba claves RSA que se pueden calcular a partir del
          certificado (CVE-2017-15361). No use esta clave para firmar: cambie la llave.
        </Notice>
      )}
      <FactList>
        <Fact name="NIP">{attestation.pin}</Fact>
        <Fact name="Toque">{attestation.touch}</Fact>
        <Fact name="Clave">{attestation.key}</Fact>
        <Fact name="Número de serie">{attestation.serial}</Fact>
        <Fact name="Firmware">{attestation.firmware}</Fact>
        <Fact name="Forma">{attestation.form}</Fact>
        <Fact name="Cadena">{attestation.authorities.join(' → ')}</Fact>
      </FactList>
    </section>
  )
}

/** The security keys of the holder that are in this device. */
export function CredentialsSheet({ view, fault }: Props & { fault: Fault | undefined }) {
  const { credentials } = view
  if (!credentials) return null
  return (
    <Sheet title="Llaves de seguridad ligadas">
      <p className={css.quiet}>
        Las que están en este dispositivo y abren la cuenta de quien lo tiene. Si se reporta
        perdido, dejan de abrirla de inmediato.
      </p>
      {credentials.linked.length > 0 && (
        <ItemList>
          {credentials.linked.map(({ id, name, added, isSuspect }) => (
            <Item
              key={id}
              icon="key"
              name={name}
              badge={isSuspect && <Badge tone="bad">En revisión</Badge>}
              action={
                <KeyActionForm yubikey={view} intent="unlink">
                  <input type="hidden" name="credentialId" value={id} />
                  <SubmitButton variant="default">Desligar</SubmitButton>
                </KeyActionForm>
              }
            >
              <p>{added}</p>
            </Item>
          ))}
        </ItemList>
      )}
      {credentials.linked.length === 0 && <p>Ninguna está ligada.</p>}
      {credentials.others.length > 0 && (
        <LinkForm view={view} others={credentials.others} fault={fault} />
      )}
    </Sheet>
  )
}

type LinkProps = Props & {
  others: NonNullable<KeyView['credentials']>['others']
  fault: Fault | undefined
}

function LinkForm({ view, others, fault }: LinkProps) {
  const own = fault?.intent === 'link' ? fault : undefined
  return (
    <KeyActionForm yubikey={view} intent="link" className={folds.form}>
      <SelectField
        name="credentialId"
        label="Ligar otra llave de seguridad"
        help="Las que registró en Mi Perfil quien tiene esta llave."
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        defaultValue={own?.values.credentialId ?? others[0]?.id ?? ''}
        errors={own?.errors.credentialId}
      />
      <SubmitButton variant="default">Ligar</SubmitButton>
    </KeyActionForm>
  )
}

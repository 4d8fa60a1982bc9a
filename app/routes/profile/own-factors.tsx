import { Badge } from '#app/ui/feedback/badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { FactorsView } from './factors-view.ts'
import css from './own.module.css'

/** The user's second factors, and links to add more. */
export function OwnFactors({ view }: { view: FactorsView }) {
  const { keys, app, codes, isOn, fewCodes } = view
  return (
    <Sheet
      title="Verificación en dos pasos"
      aside={<Badge tone={isOn ? 'good' : 'wait'}>{isOn ? 'Activada' : 'Sin activar'}</Badge>}
    >
      {!isOn && (
        <p className={css.quiet}>
          Hoy basta su contraseña para entrar. Agregue algo que solo usted tenga.
        </p>
      )}
      {fewCodes && (
        <Notice tone="wait" isLive={false}>
          {fewCodes}{' '}
          <PageLink to="/dashboard/profile/backup-codes">Generar códigos nuevos</PageLink>
        </Notice>
      )}
      {isOn && (
        <ItemList>
          {keys.map((key) => (
            <Factor
              key={key.id}
              icon="key"
              name={key.name}
              to={`/dashboard/profile/keys/${key.id}`}
              facts={key.facts}
              {...(key.isSuspect && { warning: 'En revisión' })}
            />
          ))}
          {app && (
            <Factor
              icon="phone"
              name="Aplicación de autenticación"
              to="/dashboard/profile/authenticator"
              facts={app.facts}
            />
          )}
          {codes && (
            <Factor
              icon="document"
              name="Códigos de respaldo"
              to="/dashboard/profile/backup-codes"
              facts={codes.facts}
            />
          )}
        </ItemList>
      )}
      <ButtonLink
        to={address('/setup-mfa', { returnUrl: '/dashboard/profile' })}
        variant={isOn ? 'default' : 'filled'}
        leftSection={<Icon name="shield" />}
      >
        {isOn ? 'Agregar otra' : 'Configurar'}
      </ButtonLink>
    </Sheet>
  )
}

type FactorProps = { icon: IconName; name: string; to: string; facts: string; warning?: string }

function Factor({ icon, name, to, facts, warning }: FactorProps) {
  return (
    <Item
      icon={icon}
      name={name}
      badge={warning && <Badge tone="bad">{warning}</Badge>}
      action={
        <PageLink to={to} aria-label={`Administrar ${name}`}>
          Administrar
        </PageLink>
      }
    >
      <p>{facts}</p>
    </Item>
  )
}

import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Seal } from '#app/ui/frame/seal.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Problem } from '#server/domain/problem.ts'
import { formatInstant } from '#server/domain/time.ts'
import { ReadReceipt, readReceipt } from '#server/features/yubikeys/read-receipt.ts'
import { formFactors } from '#server/words/yubikeys.ts'
import type { Route } from './+types/receipt'
import { PrintButton } from './print-button.tsx'
import css from './receipt.module.css'

export const handle = { hydrate: true, label: 'Acuse de entrega' }

export const meta: Route.MetaFunction = () => [{ title: 'Acuse de entrega de llave · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = await orErrorPage(askedIn(params))
  const { office, yubikey, holder, handedOverBy, at } = await orErrorPage(
    readReceipt(system, actor, asked),
  )
  const { id, serial, model, firmware, formFactor } = yubikey
  return {
    ...{ id, serial, model, firmware, holder, handedOverBy },
    form: formFactor && formFactors[formFactor],
    office: { name: office.name, place: `${office.municipality}, ${office.entity}` },
    when: formatInstant(at, office.timeZone),
    number: `${serial}-${asked.version}`,
  }
}

/** @throws {Problem} `not-found` */
async function askedIn({ id, version }: Route.LoaderArgs['params']): Promise<ReadReceipt> {
  const asked = ReadReceipt.safeParse({ yubikeyId: id, version })
  if (!asked.success) throw new Problem('not-found', 'no receipt')
  return asked.data
}

const CARE = [
  'La llave es personal: no la preste ni la deje conectada cuando se aleje del equipo.',
  'No escriba el NIP en ningún papel ni lo comparta. Nadie de la notaría se lo pedirá.',
  'Tras varios NIP equivocados la llave se bloquea: no adivine, pida ayuda.',
  'Si la pierde o se la roban, repórtelo de inmediato en Rúbrica (Certificados, YubiKeys) o a un administrador: deja de abrir su cuenta en ese momento.',
  'Devuélvala a la notaría cuando cambie de puesto o deje de trabajar en ella.',
]

export default function ReceiptPage({ loaderData }: Route.ComponentProps) {
  const { id, serial, model, firmware, form, office, holder, handedOverBy, when, number } =
    loaderData
  return (
    <>
      <div className={css.onScreen}>
        <PageHead
          title="Acuse de entrega"
          lead={
            <>
              Imprímalo; lo firman quien entrega y quien recibe.{' '}
              <PageLink to={`/dashboard/certificates/keys/${id}`}>Volver a la llave</PageLink>
            </>
          }
          action={<PrintButton />}
        />
      </div>
      <article className={css.paper}>
        <header className={css.head}>
          <Seal size={56} />
          <div>
            <p className={css.office}>{office.name}</p>
            <p>{office.place}</p>
          </div>
        </header>
        <h2>Acuse de entrega de llave</h2>
        <p className={css.number}>Número {number}</p>
        <FactList>
          <Fact name="Fecha">{when}</Fact>
          <Fact name="Modelo">{model}</Fact>
          <Fact name="Número de serie">{serial}</Fact>
          <Fact name="Forma">{form}</Fact>
          <Fact name="Firmware">{firmware}</Fact>
          <Fact name="Entrega">{handedOverBy}</Fact>
          <Fact name="Recibe">
            {holder.name}, RFC {holder.rfc}
          </Fact>
        </FactList>
        <h3>Quien recibe se obliga a cuidarla</h3>
        <ol className={css.care}>
          {CARE.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ol>
        <div className={css.signatures}>
          <p>
            <span>{handedOverBy}</span>
            Entrega
          </p>
          <p>
            <span>{holder.name}</span>
            Recibe
          </p>
        </div>
      </article>
    </>
  )
}

import { Badge } from '#app/ui/feedback/badge.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Help } from '#app/ui/text/help.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { ConstanciaView } from './constancia-view.ts'
import css from './document-facts.module.css'

type Props = { documentId: string; constancia: ConstanciaView }

const NONE = 'El documento firmado no tiene constancia de conservación.'
const COMING =
  'La constancia llegará sola: se solicita en cuanto el documento tenga su prueba de largo plazo, que está pendiente.'
const ONLY_EARLIER =
  'La constancia de una versión anterior sigue probando lo que había entonces; las firmas de después no tienen una propia.'

/** The state of the constancia over a document's signatures. */
export function ConstanciaSheet({ documentId, constancia }: Props) {
  const { current, earlier, canRequest, comesWithArchive } = constancia
  const place = `/dashboard/documents/${documentId}/constancia`
  return (
    <Sheet title="Constancia NOM-151" aside={<Help about="constancia" />}>
      {current ? (
        <Current current={current} place={place} />
      ) : (
        <p className={css.none}>
          {[
            ...(earlier.length > 0 ? [ONLY_EARLIER] : []),
            ...(comesWithArchive ? [COMING] : []),
          ].join(' ') || NONE}
        </p>
      )}
      {canRequest && (
        <PostForm action={place}>
          <SubmitButton variant="default">
            {current ? 'Solicitar de nuevo' : 'Solicitar constancia'}
          </SubmitButton>
        </PostForm>
      )}
      {earlier.length > 0 && (
        <ul className={css.entries}>
          {earlier.map(({ version, time }) => (
            <li key={version}>
              <PageLink to={`${place}/${version}.asn1`}>
                Descargar la constancia de la versión {version}
              </PageLink>
              {time && (
                <span>
                  <Time at={time.at}>{time.text}</Time>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}

type CurrentProps = { current: NonNullable<ConstanciaView['current']>; place: string }

function Current({ current, place }: CurrentProps) {
  const { state, version, time, authority, policy, requested, next, attempts, lastError } = current
  if (state === 'issued')
    return (
      <>
        <p>
          <Badge tone="good">Constancia emitida</Badge>
        </p>
        <FactList>
          {time && (
            <Fact name="Fecha cierta">
              <Time at={time.at}>{time.text}</Time>
            </Fact>
          )}
          {authority && <Fact name="Prestador">{authority}</Fact>}
          {policy && <Fact name="Política">{policy}</Fact>}
          <Fact name="Sobre">La huella SHA-256 de la versión {version}</Fact>
        </FactList>
        <PageLink to={`${place}/${version}.asn1`}>Descargar constancia (.asn1)</PageLink>
      </>
    )
  return (
    <>
      <p>
        {state === 'pending' ? (
          <Badge tone="wait">Constancia pendiente</Badge>
        ) : (
          <Badge tone="bad">Constancia no emitida</Badge>
        )}
      </p>
      <FactList>
        <Fact name="Solicitada">
          <Time at={requested.at}>{requested.text}</Time>
        </Fact>
        {attempts > 0 && <Fact name="Intentos">{attempts}</Fact>}
        {lastError && <Fact name="Último resultado">{lastError}</Fact>}
        {next && attempts > 0 && (
          <Fact name="Se intenta de nuevo">
            <Time at={next.at}>{next.text}</Time>
          </Fact>
        )}
      </FactList>
    </>
  )
}

import type { ReactNode } from 'react'
import type { FormErrors } from '#app/http/forms.ts'
import { PictureConsentSheet } from '#app/ui/document/picture-consent-sheet.tsx'
import { ProtocolNotice } from '#app/ui/document/protocol-notice.tsx'
import { UploadJudgementSheet } from '#app/ui/document/upload-judgement.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Reader } from '#app/ui/reader/reader.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { AcknowledgementForm } from './acknowledgement-form.tsx'
import css from './sign.module.css'
import { SignAddition } from './sign-addition.tsx'
import { SignSubject } from './sign-subject.tsx'
import type { SignView } from './sign-view.ts'

type Props = {
  view: SignView
  /** Of the acknowledgement. */
  errors?: FormErrors | undefined
  /** What comes before anything else that the signer does. */
  first?: ReactNode
  children?: ReactNode
}

/** The pages of the document, beside the form that signs it. */
export function SignFrame({ view, errors, first, children }: Props) {
  return (
    <div className={css.columns} data-wide data-whole={view.reader.state.isWhole || undefined}>
      <div className={css.pages}>
        <PageHead
          title="Firmar documento"
          lead={
            <>
              {view.title} · <PageLink to={view.back.address}>{view.back.label}</PageLink>
            </>
          }
        />
        <Reader
          view={view.reader}
          foot={<a href="#firmar">{view.obstacle || first ? 'Seguir' : 'Firmar'}</a>}
        />
        {view.isAsked && <SignAddition view={view} />}
      </div>
      <div id="firmar" className={css.side}>
        <SignSubject view={view} />
        <ProtocolNotice leavesProtocol={view.leavesProtocol} />
        {view.isAsked && (
          <UploadJudgementSheet judgement={view.judgement} report={`${view.document}/verdict`} />
        )}
        <NextStep view={view} errors={errors} first={first}>
          {children}
        </NextStep>
        <PictureConsentSheet
          action={`${view.document}/picture-consent`}
          consent={view.consent}
          isSigning={view.address !== view.document}
        />
      </div>
    </div>
  )
}

/** The form, unless something must come before it. */
function NextStep({ view, errors, first, children }: Props) {
  const { obstacle, judgement, statements } = view
  if (obstacle) return <Notice tone="wait">{obstacle}</Notice>
  if (first) return first
  if (judgement === 'waiting') return null
  if (statements.length > 0) return <AcknowledgementForm view={view} errors={errors} />
  return children
}

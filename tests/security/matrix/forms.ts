import { accountForms } from './forms-of-accounts.ts'
import { careForms } from './forms-of-care.ts'
import { documentForms } from './forms-of-documents.ts'
import { settingsForms } from './forms-of-settings.ts'
import { yubikeyForms } from './forms-of-yubikeys.ts'
import type { Asked, WritableRoute } from './request.ts'

/** What each route answers to each of its forms, by the name of the form. */
export const FORMS: Record<WritableRoute, Readonly<Record<string, Asked>>> = {
  ...documentForms,
  ...accountForms,
  ...settingsForms,
  ...yubikeyForms,
  ...careForms,
}

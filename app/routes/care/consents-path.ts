export const CONSENTS_PATH = '/dashboard/consents'

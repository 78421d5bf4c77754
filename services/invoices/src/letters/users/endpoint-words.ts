import { momentIn } from '@cofre/platform/written'
import type { Language } from '../queue/email'
import type { DisabledEndpoint } from './user-letter-store'
import type { UserWords } from './user-words'

/** The texts of a letter about a disabled endpoint. `url`: the endpoint's, on one line. */
export function endpointWords(
  language: Language,
  { endpointId, url, reason, at }: DisabledEndpoint,
): UserWords {
  const path = `/portal/endpoints/${endpointId}`
  const moment = momentIn(language, at)
  return language === 'en'
    ? {
        subject: `Cofre disabled your webhook endpoint ${endpointId}`,
        title: 'A webhook endpoint was disabled',
        greeting: 'Hello!',
        sentence:
          reason === 'GONE'
            ? 'It answered 410 (Gone), so we stopped sending events to it.'
            : 'Every delivery to it failed for five days, so we stopped sending events to it.',
        facts: [
          { label: 'Endpoint', value: `${endpointId}, ${url}` },
          { label: 'Disabled on', value: moment },
        ],
        next: 'No event is lost: new ones wait until you enable the endpoint. Deliveries that failed can be sent again there.',
        action: 'Open the endpoint',
        orOpen: 'Or open in your browser:',
        path,
        why: 'You get this e-mail because you have an account in the Cofre portal.',
      }
    : {
        subject: `O endpoint de webhook ${endpointId} foi desativado`,
        title: 'Um endpoint de webhook foi desativado',
        greeting: 'Olá!',
        sentence:
          reason === 'GONE'
            ? 'Ele respondeu 410 (Gone), e por isso paramos de enviar eventos para ele.'
            : 'Todas as entregas falharam durante cinco dias, e por isso paramos de enviar eventos para ele.',
        facts: [
          { label: 'Endpoint', value: `${endpointId}, ${url}` },
          { label: 'Desativado em', value: moment },
        ],
        next: 'Nenhum evento se perde: os novos esperam até que você ative o endpoint. As entregas que falharam podem ser reenviadas por lá.',
        action: 'Abrir o endpoint',
        orOpen: 'Ou abra no navegador:',
        path,
        why: 'Você recebe este e-mail porque tem uma conta no portal Cofre.',
      }
}

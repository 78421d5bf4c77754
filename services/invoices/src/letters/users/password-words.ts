import { clockIn, momentIn } from '@cofre/platform/written'
import type { Language } from '../queue/email'
import type { PasswordLink } from './user-letter-store'
import type { UserWords } from './user-words'

/** The texts of a letter with the link by which a password is chosen. */
export function passwordWords(
  language: Language,
  { path, isInvitation, sellerName, endsAt }: PasswordLink,
): UserWords {
  const end = `${momentIn(language, endsAt)}, ${clockIn(endsAt)}`
  return language === 'en'
    ? {
        subject: isInvitation ? `${sellerName} invites you to Cofre` : 'Choose a new password for Cofre',
        title: isInvitation ? `Join ${sellerName}` : 'Choose a new password',
        greeting: 'Hello!',
        sentence: isInvitation
          ? `${sellerName} invites you to its Cofre portal.`
          : 'Somebody asked for a new password for your Cofre account.',
        facts: [{ label: 'The link works once, until', value: end }],
        next: 'If you did not expect this e-mail, ignore it: nothing changes.',
        action: isInvitation ? 'Choose your password' : 'Choose a new password',
        orOpen: 'Or open in your browser:',
        path,
        why: 'You get this e-mail because this address was given for a Cofre account.',
      }
    : {
        subject: isInvitation
          ? `${sellerName} convidou você para o Cofre`
          : 'Escolha uma nova senha do Cofre',
        title: isInvitation ? `Entre em ${sellerName}` : 'Escolha uma nova senha',
        greeting: 'Olá!',
        sentence: isInvitation
          ? `${sellerName} convidou você para o portal Cofre.`
          : 'Alguém pediu uma nova senha para sua conta no Cofre.',
        facts: [{ label: 'O link funciona uma vez, até', value: end }],
        next: 'Se você não esperava este e-mail, ignore-o: nada muda.',
        action: isInvitation ? 'Escolher minha senha' : 'Escolher uma nova senha',
        orOpen: 'Ou abra no navegador:',
        path,
        why: 'Você recebe este e-mail porque este endereço foi informado para uma conta no Cofre.',
      }
}

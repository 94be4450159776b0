import type { ResponseErrorEntry } from './error-entry.js'

/** The errors of callers, users and application passwords. */
export const userErrors = {
  Callers: {
    rest_forbidden: {
      status: '401 or 403',
      meaning: 'The permission of the route refuses the caller. The status is 401 for an anonymous caller, else 403.',
      remedy: 'Log in, or use an account with the capability. `as-rest-route explain` names the permission.',
    },
    rest_not_logged_in: {
      status: '401',
      meaning: 'The route is about the caller, who is anonymous.',
      remedy: 'Send a login cookie with a nonce, or an application password.',
    },
    rest_cookie_invalid_nonce: {
      status: '403',
      meaning:
        'The login cookie is valid and the nonce is not: it is older than a day, or belongs to another user or session.',
      remedy: 'Fetch a new nonce from `/wp-admin/admin-ajax.php?action=rest-nonce`.',
    },
    invalid_username: {
      status: '401 or 400',
      meaning:
        '401: no user has the login name of the credentials. 400: the login name of a new user contains characters that are not allowed.',
      remedy: 'Correct the login name.',
    },
    incorrect_password: {
      status: '401',
      meaning: 'The user has no such application password. The password of an account is not accepted.',
      remedy: 'Create an application password for the program.',
    },
    application_password_ended: {
      status: '401',
      meaning: 'The application password has expired.',
      remedy: 'Make a new one.',
    },
    rest_application_password_scope: {
      status: '403',
      meaning:
        'The application password has scopes, and none of them allows the request, or the request would change a password, an address or an application password.',
      remedy: 'Use another application password, or make one with this scope.',
    },
    application_passwords_disabled: {
      status: '401 or 501',
      meaning: 'The request came over plain HTTP from another machine. The message names the reason.',
      remedy: "Use HTTPS, set `trusted_proxies`, or `environment: 'local'` for development.",
    },
    too_many_attempts: {
      status: '429',
      meaning: 'Too many wrong passwords were sent for the account or from the network. `Retry-After` has the seconds.',
      remedy: 'Wait. The [limits](operating.md#limits) say how many attempts are allowed.',
    },
    service_busy: {
      status: '503',
      meaning: 'Too many passwords wait to be verified.',
      remedy: 'Send the request again after the seconds of `Retry-After`.',
    },
  },
  'Users and application passwords': {
    empty_user_login: {
      status: '400',
      meaning: 'The login name of a new user is empty.',
      remedy: 'Choose a login name.',
    },
    user_login_too_long: {
      status: '400',
      meaning: 'The login name of a new user is too long.',
      remedy: 'Choose a shorter one.',
    },
    existing_user_login: {
      status: '400',
      meaning: 'Another user has the login name.',
      remedy: 'Choose another one.',
    },
    existing_user_id: {
      status: '400',
      meaning: 'Another user has the id of the new user.',
      remedy: 'Leave the id out.',
    },
    invalid_email: {
      status: '400 or 401',
      meaning: '400: the address of a user is not an e-mail address. 401: no user has the address of the credentials.',
      remedy: 'Correct the address.',
    },
    user_email_too_long: {
      status: '400',
      meaning: 'The address of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    existing_user_email: {
      status: '400',
      meaning: 'Another user has the address.',
      remedy: 'Choose another one.',
    },
    empty_password: {
      status: '400',
      meaning: 'The password of a user is empty.',
      remedy: 'Choose a password.',
    },
    password_too_long: {
      status: '400',
      meaning: 'The password of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    display_name_too_long: {
      status: '400',
      meaning: 'The display name of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    invalid_display_name: {
      status: '400',
      meaning: 'The display name contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    invalid_role: {
      status: '400',
      meaning: 'There is no role of this name.',
      remedy: 'Choose an existing role, or declare it in the option `roles`.',
    },
    invalid_user_id: {
      status: '400',
      meaning: 'There is no user with the id, or a new user has an id that cannot be stored.',
      remedy: 'Correct the id.',
    },
    invalid_reassign: {
      status: '400',
      meaning: 'The user who is to get the records of a deleted user does not exist, or is that user.',
      remedy: 'Choose another user.',
    },
    user_url_too_long: {
      status: '400',
      meaning: 'The website of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    empty_user_nicename: {
      status: '400',
      meaning: 'Sanitising leaves nothing of the slug of a user.',
      remedy: 'Send a slug with Latin letters or digits.',
    },
    user_nicename_too_long: {
      status: '400',
      meaning: 'The slug of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    invalid_user_text: {
      status: '400',
      meaning: 'A text of a user contains half a surrogate pair, or bytes that are not UTF-8.',
      remedy: 'Send valid Unicode.',
    },
    rest_user_invalid_email: {
      status: '400',
      meaning: 'Another user has the address.',
      remedy: 'Choose another one.',
    },
    rest_user_invalid_argument: {
      status: '400',
      meaning: 'The request would change the login name of the user.',
      remedy: 'Leave `username` out.',
    },
    rest_user_invalid_slug: {
      status: '400',
      meaning: 'Another user has the slug.',
      remedy: 'Choose another one.',
    },
    rest_user_invalid_role: {
      status: '400 or 403',
      meaning:
        '400: there is no role of this name. 403: administrators cannot take the capability `edit_users` from themselves.',
      remedy: 'Choose another role.',
    },
    rest_cannot_edit_roles: {
      status: '401 or 403',
      meaning: 'The caller may not change the roles of the user.',
      remedy: 'Use an account with the capability `promote_users`.',
    },
    rest_cannot_edit: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_user_cannot_delete: {
      status: '401 or 403',
      meaning: 'The caller may not delete the user.',
      remedy: 'Use an account with the capability `delete_users`.',
    },
    rest_trash_not_supported: {
      status: '501',
      meaning: 'Users have no trash, so `force` must be true.',
      remedy: 'Send `force=true`.',
    },
    rest_user_invalid_reassign: {
      status: '400',
      meaning: 'The user who is to get the records of the deleted user does not exist, or is that user.',
      remedy: 'Choose another user.',
    },
    rest_user_invalid_id: {
      status: '404',
      meaning: 'The path of the request names a user who does not exist.',
      remedy: 'Correct the id.',
    },
    rest_application_password_not_found: {
      status: '404',
      meaning: 'The user has no application password with the UUID of the path.',
      remedy: 'List the application passwords.',
    },
    application_password_empty_name: {
      status: '400',
      meaning: 'The name of a new application password is empty.',
      remedy: 'Send a name.',
    },
    application_password_not_text: {
      status: '400',
      meaning: 'The name or the application id contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    application_password_name_too_long: {
      status: '400',
      meaning: 'The application passwords of the user, with their names, would have too many bytes together.',
      remedy: 'Send a shorter name, or revoke a password that is no longer used.',
    },
    application_password_scopes_invalid: {
      status: '400',
      meaning: 'The scopes of an application password are not a list of paths, with or without methods.',
      remedy: "Send `['GET /shop/v1/products*']`.",
    },
    application_password_expires_invalid: {
      status: '400',
      meaning: 'The expiry of an application password is not a date that exists and is to come.',
      remedy: 'Send a date in UTC: `2027-01-31T00:00:00`.',
    },
    application_password_limits_unsupported: {
      status: '400',
      meaning:
        'An application password with scopes or an expiry is made at a WordPress site whose companion plugin does not answer, or is an older one.',
      remedy: 'Install the companion plugin of this version, or leave them out.',
    },
    too_many_application_passwords: {
      status: '400',
      meaning: 'The user has as many application passwords as a user may have.',
      remedy: 'Revoke one.',
    },
    rest_no_authenticated_app_password: {
      status: '404',
      meaning: 'The request was not authenticated by an application password.',
      remedy: 'Send one.',
    },
    rest_cannot_introspect_app_password_for_non_authenticated_user: {
      status: '401 or 403',
      meaning: 'The path names another user than the caller.',
      remedy: 'Use `users/me` as the path.',
    },
    rest_cannot_list_application_passwords: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_create_application_passwords: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_delete_application_passwords: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_read_application_password: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_edit_application_password: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_delete_application_password: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
  },
} satisfies Record<string, Record<string, ResponseErrorEntry>>

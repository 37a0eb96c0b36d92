export interface paths {
    "/api/projects/{project_id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All changes, imports and exports of a project, newest first
         * @description Scope: `activity_log:read`.
         *
         *     Changes of persons, cohorts, actions and the project, imports with their counts, and each CSV answer as an export. Entries outlive their subjects and contain no values of persons. Keys belong to users: see `personal_api_keys/activity`.
         */
        get: operations["listProjectActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who has read personal data of a project, newest first
         * @description Scope: `activity_log:read`.
         *
         *     Empty unless `audit_reads` of the project is on. Then every admitted request to persons, events, SQL and saved answers leaves an entry, which is committed before anything is sent, and is kept for 90 days. An entry has no values: no properties, no searches, no text of questions.
         */
        get: operations["listAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The only organization, which is the installation
         * @description Scope: `organization:read`.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/@current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization, with the projects that the key opens
         * @description Scope: `organization:read`.
         *
         *     Its `id` is the same in every installation, and may take the place of `@current`.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/@current/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Projects that the key opens, newest first
         * @description Scope: `project:read`.
         *
         *     The same as `GET /api/projects`.
         */
        get: operations["listOrganizationProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Projects that the key opens, newest first
         * @description Scope: `project:read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Scope: `project:write`.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One project
         * @description Scope: `project:read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project with all that belongs to it
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects. It cannot be undone. From this answer on, which takes a second, no request finds the project, and its token is unknown. A job then removes every row of it from PostgreSQL and ClickHouse, and revokes the keys that open no other project. The answer is the receipt, whose progress `GET /api/project_deletions/{id}` shows. Backups keep what they have.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change settings of a project
         * @description Scope: `project:write`.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/api/projects/{project_id}/rotate_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a project a new token
         * @description Scope: `project:write`.
         *
         *     The previous token goes on capturing for `grace_seconds`, so that SDKs can be switched meanwhile, and is refused within a second after that. Another rotation meanwhile ends it too.
         *
         *     A repeated request gets the project as it is now.
         */
        post: operations["rotateProjectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/project_deletions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deleted projects with the receipts of their deletions, newest first
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects.
         */
        get: operations["listProjectDeletions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/project_deletions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The deletion of one project, with its progress and receipt
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects.
         */
        get: operations["getProjectDeletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/feature_flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Always an empty page: this service has nothing of the kind
         * @description Scope: any valid key or session.
         *
         *     The guide [Moving from PostHog](/docs/guides/moving-from-posthog.md) says what it has instead.
         *
         *     The same as `/api/projects/{project_id}/experiments`, `/api/projects/{project_id}/early_access_features`, `/api/projects/{project_id}/surveys`.
         */
        get: operations["listNothing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personal_api_keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your keys that this key rules over, newest first
         * @description Scope: `api_key:read`.
         *
         *     A key rules over itself, and over those keys of its user that do not exceed it in scopes, projects or expiry. Stronger keys answer 404, like unknown ones. A signed-in user rules over all keys of the user.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key; only this answer contains its text
         * @description Scope: `api_key:write`.
         *
         *     The new key cannot exceed the key of this request, and is revoked with it. A key that a signed-in user makes cannot exceed the roles of the user in the projects of the key, and is revoked when it does.
         *
         *     A repeated request gets the key as it is now, without its text: when the first answer is lost, revoke the key and create another one under a new `Idempotency-Key`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personal_api_keys/@current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The key of this request
         * @description Scope: any valid key or session.
         */
        get: operations["getCurrentKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personal_api_keys/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Activity of your keys, newest first
         * @description Scope: `activity_log:read` and `api_key:read`.
         *
         *     Creations, changes, rotations and revocations, with label, mask, scopes, projects and expiry, never the text of a key. The log covers all your keys, so a key must not be limited to projects.
         */
        get: operations["listKeysActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personal_api_keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of your keys that this key rules over
         * @description Scope: `api_key:read`.
         *
         *     A key rules over itself, and over those keys of its user that do not exceed it in scopes, projects or expiry. Stronger keys answer 404, like unknown ones. A signed-in user rules over all keys of the user.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key at once, and the keys it made
         * @description Scope: `api_key:write`.
         *
         *     A key rules over itself, and over those keys of its user that do not exceed it in scopes, projects or expiry. Stronger keys answer 404, like unknown ones. A signed-in user rules over all keys of the user. The keys it made, directly or not, are revoked with it unless `children=keep` is set; keys that a stronger key has widened beyond the key of this request stay. Open invitations and links to set passwords that it made end. Members, users and webhooks stay: `creations` lists them.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Rename, narrow or widen a key, never beyond the key of this request
         * @description Scope: `api_key:write`.
         *
         *     A key rules over itself, and over those keys of its user that do not exceed it in scopes, projects or expiry. Stronger keys answer 404, like unknown ones. A signed-in user rules over all keys of the user. Narrowing a key revokes the keys it made, directly or not, that exceed its new grant, and ends its open invitations and links.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/api/personal_api_keys/{id}/creations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a key has made that gives access and is still there
         * @description Scope: `api_key:read`.
         *
         *     A key rules over itself, and over those keys of its user that do not exceed it in scopes, projects or expiry. Stronger keys answer 404, like unknown ones. A signed-in user rules over all keys of the user. Look here before you revoke a key that may have been stolen: open invitations and links to set passwords end with the key, and the rest stays. The entry of the revocation in `personal_api_keys/activity` has the same lists. Each has at most 1000 items.
         */
        get: operations["listKeyCreations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/personal_api_keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a key a new secret; only this answer contains it
         * @description Scope: `api_key:write`.
         *
         *     A key rules over itself, and over those keys of its user that do not exceed it in scopes, projects or expiry. Stronger keys answer 404, like unknown ones. A signed-in user rules over all keys of the user. The id, the rights and the keys that it made stay. The previous secret works for `overlap_seconds` more, and is then refused like an unknown key; another rotation meanwhile ends it at once. A key that another key rotates counts as made by that key, and is revoked with it.
         *
         *     A repeated request gets the key as it is now, without its text: when the first answer is lost, rotate the key again under a new `Idempotency-Key`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/@me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The user behind the key or the session
         * @description Scope: `user:read`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your names or your password
         * @description Scope: none, but a session.
         *
         *     A new password ends your other sessions. A user without one sets the first within 10 minutes of signing in.
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/api/users/@me/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to your account, your sessions and your keys, newest first
         * @description Scope: none, but a session.
         */
        get: operations["listMyActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users of the installation, newest first
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Make a user, who sets a password by the link of this answer
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects. The link works once, within 7 days.
         *
         *     A repeated request gets the user without the link.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user of the installation
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Remove a user, with all sessions, keys and roles
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects. What the user has made stays.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change the names of a user, or make or unmake an owner
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects. Keys that the user made while signed in are revoked where they exceed what is left.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/users/{id}/password_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link by which a user sets a new password
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects. It works once, within 7 days, and makes earlier links of the user void.
         *
         *     A repeated request gets no link.
         */
        post: operations["createPasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions of a user, newest first
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects.
         */
        get: operations["listSessionsOfUser"];
        put?: never;
        post?: never;
        /**
         * End all sessions of a user
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects.
         */
        delete: operations["endSessionsOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to the account, the sessions and the keys of a user, newest first
         * @description Scope: `*`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects. The entries outlive the user.
         */
        get: operations["listUserActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the token of a link is for, without using it up
         * @description Tells a page what to show before the user accepts: the account, the project, and what accepting needs.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation, or set a password by a link: opens a session
         * @description A new user is made with the given password. When the e-mail belongs to a user, the request needs the session or the password of this user, because the member who made the link knows it too.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the console needs before anyone has signed in
         * @description The version, and the ways to sign in. 404 where `CONSOLE` is `off`.
         */
        get: operations["getConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open invitations to a project, newest first
         * @description Scope: `project:read`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person by a link that works once, within 7 days
         * @description Scope: `project:write`.
         *
         *     Only this answer contains the link. The service sends no e-mail: hand the link over yourself. A new invitation replaces an open one of the same e-mail. No caller gives a role that can do more than itself, and a key that expires invites no one: the member would outlive it. An invitation ends when the key that made it is revoked.
         *
         *     A repeated request gets the invitation without its link: revoke it and create another one.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Scope: `project:write`.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members of a project with their roles, newest first
         * @description Scope: `project:read`.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Make a user of the installation a member
         * @description Scope: `project:write`.
         *
         *     For owners of the installation, and for keys with the scope `*` on all projects. Others create an invitation, which the person accepts: this answer would tell them who the users are.
         *
         *     A repeated request gets the member as it is now.
         */
        post: operations["addMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One member
         * @description Scope: `project:read`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Scope: `project:write`.
         *
         *     It takes effect with the next request. Keys that the user made while signed in are revoked where they exceed what is left; keys of an operator stay. Open invitations of the user to this project end.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Scope: `project:write`.
         *
         *     It takes effect with the next request. Keys that the user made while signed in are revoked where they exceed what is left; keys of an operator stay. Open invitations of the user to this project end.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/sessions/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in by the provider of single sign-on
         * @description For a browser: it is led to the provider, and from there over `/api/sessions/oidc/callback` back to a page of the console. A sign-in has 10 minutes, and works once and in the same browser. When it is refused, a browser is led to the sign-in page.
         */
        get: operations["startSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your sessions that have not ended, newest first
         * @description Scope: none, but a session.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Sign in with e-mail and password, or with a link that works once
         * @description The answer sets the cookie `kohort_session`. An unknown account gets the same answer as a wrong password. Failed attempts are limited by account and by address. Pages of other origins get a 403.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/@current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out: end the session of this request
         * @description Scope: none, but a session.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Scope: none, but a session.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Actions, newest first
         * @description Scope: `action:read`.
         */
        get: operations["listActions"];
        put?: never;
        /**
         * Create an action, a name for events that match one of several steps
         * @description Scope: `action:write`.
         *
         *     Questions name it in `actions`, and criteria of cohorts by `event_type: "actions"`. A project with 2000 actions has no room for another: 409.
         */
        post: operations["createAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One action
         * @description Scope: `action:read`.
         */
        get: operations["getAction"];
        put?: never;
        post?: never;
        /**
         * Delete an action
         * @description Scope: `action:write`.
         */
        delete: operations["deleteAction"];
        options?: never;
        head?: never;
        /**
         * Change an action
         * @description Scope: `action:write`.
         *
         *     Changed steps apply to every later question, and cohorts that name the action are calculated again.
         */
        patch: operations["updateAction"];
        trace?: never;
    };
    "/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Capture events from ?data=
         * @description The same as `/capture`, `/e`, `/i/v0/e`, `/track`, `/engage`.
         */
        get: operations["captureByQuery"];
        put?: never;
        /**
         * Capture events; 200 means they are committed on disk
         * @description The same as `/capture`, `/e`, `/i/v0/e`, `/track`, `/engage`.
         */
        post: operations["capture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/i/v1/analytics/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture events, with the project token as bearer
         * @description Returns a result for each event, by its uuid.
         */
        post: operations["captureWithResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Capture messages from ?data=
         * @description The token is the user name of Basic authentication, or `writeKey` in the body. `userId`, or else `anonymousId`, is the distinct id, and `identify` merges the two; `traits` become properties of the person, and `context` becomes properties of the event. A message that is sent again under the same `messageId` is a duplicate.
         */
        get: operations["captureMessagesByQuery"];
        put?: never;
        /**
         * Capture messages of Segment's or RudderStack's SDKs
         * @description The token is the user name of Basic authentication, or `writeKey` in the body. `userId`, or else `anonymousId`, is the distinct id, and `identify` merges the two; `traits` become properties of the person, and `context` becomes properties of the event. A message that is sent again under the same `messageId` is a duplicate.
         */
        post: operations["captureMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/events/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events as they arrive, as server-sent events
         * @description Scope: `event:read`.
         *
         *     A message `event: event` has one event as its `data`, in the shape of `listEvents`, within about a second after it was acknowledged. At most 50 events a second are shown; a message `event: skipped` then says how many are missing. The `id` of each message is a cursor: a stream that is resumed from it within five minutes gets each event after it once. A comment with an `id` comes at the beginning and every 15 s. The stream ends when its time is over, when the key is revoked or expires, when the person of the filter is merged or deleted, and when the service stops; a client that reads nothing for half a minute is disconnected.
         */
        get: operations["watchEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events, newest first
         * @description Scope: `event:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/events/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Event names with their counts, most frequent first
         * @description Scope: `event:read`.
         */
        get: operations["listEventNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/events/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values of a property of events, most frequent first
         * @description Scope: `event:read`.
         *
         *     The same as `GET persons/values?type=event`.
         */
        get: operations["listEventPropertyValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/events/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One event
         * @description Scope: `event:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/ingestion_warnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Warnings about events that capture altered or read in part, newest first
         * @description Scope: `event:read`.
         */
        get: operations["listIngestionWarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/related": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Persons and groups that occur in the same events as a group, or groups as a person
         * @description Scope: `group:read` and `person:read`.
         *
         *     Of the last 90 days: up to 100 persons, then up to 100 groups, those with the most events first.
         */
        get: operations["listRelated"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/{id}/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Persons with an event of the group, newest first
         * @description Scope: `group:read` and `person:read`.
         *
         *     All parameters of `persons` combine by AND.
         */
        get: operations["listGroupPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of the group, newest first
         * @description Scope: `group:read` and `event:read`.
         */
        get: operations["listGroupEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Load persons and events as NDJSON
         * @description Scope: `person:write` and `project:write`.
         *
         *     A repeated import gets the stored reply after its body was read to the end; reasons that name a person are not stored.
         */
        post: operations["importRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/import/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The progress of an import that was sent with wait=0, or run as a command
         * @description Scope: `project:read`.
         *
         *     Finished imports are kept for 30 days.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/ingestion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of the events that clients sent, and which SDKs sent them
         * @description Scope: `event:read`.
         *
         *     Counted since the project exists, without imports. Processes store their counts every 5 s; a process that is killed loses the counts of its last seconds, and no events.
         */
        get: operations["getIngestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups_types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The types of groups, such as companies, in the order in which they came
         * @description Scope: `group:read`.
         *
         *     The first event that names a type in `$groups`, or describes a group of it, makes the type. A project has at most 20.
         */
        get: operations["listGroupTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups_types/update_metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the names under which people see types of groups
         * @description Scope: `group:write`.
         */
        patch: operations["updateGroupTypes"];
        trace?: never;
    };
    "/api/projects/{project_id}/groups/property_definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Properties of groups by type, with the number of groups that have each
         * @description Scope: `group:read`.
         *
         *     The 1,000 most frequent properties of each type.
         */
        get: operations["listGroupProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/property_values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values of a property of the groups of a type, most frequent first
         * @description Scope: `group:read`.
         */
        get: operations["listGroupPropertyValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of one group by hand, newest first
         * @description Scope: `activity_log:read`.
         */
        get: operations["listGroupActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/{id}/property_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the properties of a group changed, newest first
         * @description Scope: `group:read`.
         *
         *     Replayed from the events that describe the group, `$groupidentify`, also those before it was deleted and made again. Events that changed nothing are left out. A group with more than 5,000 such events gets 400.
         */
        get: operations["getGroupPropertyHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Groups of a type, such as companies, newest first
         * @description Scope: `group:read`.
         *
         *     All parameters combine by AND. CSV without `limit` contains all groups.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Make a group before an event names it
         * @description Scope: `group:write`.
         *
         *     A group that exists is a 409: change it by PATCH.
         *
         *     A repeated request gets the current group (404 when it is gone).
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The group of a type that has a key
         * @description Scope: `group:read`.
         */
        get: operations["findGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One group
         * @description Scope: `group:read`.
         */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        /**
         * Delete a group; its events stay
         * @description Scope: `group:write`.
         *
         *     The next event that names the group makes it again, without the properties that it had.
         */
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        /**
         * Set or remove properties of a group; other properties stay unchanged
         * @description Scope: `group:write`.
         */
        patch: operations["updateGroup"];
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who entered and left a cohort
         * @description Scope: `cohort:read` and `person:read`.
         *
         *     Every change once, in order, for a reader that keeps the cursor. Without `after`, the answer lists the members of now, and its cursor continues with the changes after them. Changes are kept for 90 days; an older cursor is a 400. When a person is merged, it leaves, and the person into which it was merged enters if it was not in the cohort. A stream ends after an hour and when the key is revoked; clients resume it by `Last-Event-ID`.
         */
        get: operations["listCohortChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/membership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which persons are in which cohorts
         * @description Scope: `cohort:read` and `person:read`.
         *
         *     Fast enough for the path of a request: it reads what the last calculation of each cohort found, with every merge, deletion and edit since, and does not wait for events that were sent after it.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["checkMembership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of all cohorts, newest first
         * @description Scope: `activity_log:read`.
         */
        get: operations["listCohortsActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of one cohort, newest first
         * @description Scope: `activity_log:read`.
         */
        get: operations["listCohortActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cohorts, newest first
         * @description Scope: `cohort:read`.
         */
        get: operations["listCohorts"];
        put?: never;
        /**
         * Create a cohort
         * @description Scope: `cohort:write`.
         *
         *     A dynamic cohort is calculated at once. A definition that names properties or an action needs the scope `person:read` too. A form has the same fields, with objects and lists as JSON text: at most 20 fields of 1 MB each, 5 MB together, and a file `csv` of at most 100 MB. A project may have two uploads at a time; further ones answer 503. A project with 10000 cohorts that are not deleted has no room for another: 409.
         */
        post: operations["createCohort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the persons that a definition describes, or a query selects; nothing is stored
         * @description Scope: `cohort:read` and `person:read`.
         *
         *     Takes the body that `POST cohorts` takes for such a cohort, so that only the URL differs.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["previewCohort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One cohort, even a deleted one
         * @description Scope: `cohort:read`.
         */
        get: operations["getCohort"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a cohort
         * @description Scope: `cohort:write`.
         *
         *     A changed definition is calculated; listed members are added to a static cohort. A definition that names properties or an action needs the scope `person:read` too. There is no DELETE (405): `deleted` hides a cohort, and restores it.
         */
        patch: operations["updateCohort"];
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/duplicate_as_static_cohort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Copy the current members into a static cohort
         * @description Scope: `cohort:write`.
         */
        get: operations["duplicateCohort"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/recalculate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calculate a dynamic cohort now, or run the query of a static one again
         * @description Scope: `cohort:write`.
         *
         *     The run of a query needs the scope `query:read` too.
         */
        post: operations["recalculateCohort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of a cohort, newest first
         * @description Scope: `cohort:read` and `person:read`.
         */
        get: operations["listCohortPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The size of a cohort by day, and how many entered and left it
         * @description Scope: `cohort:read`.
         */
        get: operations["getCohortHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a person is or is not a member of a cohort
         * @description Scope: `cohort:read` and `person:read`.
         */
        get: operations["explainCohort"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of the last upload to a static cohort, and which rows name no person
         * @description Scope: `cohort:read`.
         *
         *     A cohort to which no members were uploaded answers 404.
         */
        get: operations["getCohortUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/add_persons_to_static_cohort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Add up to 1,000 persons to a static cohort
         * @description Scope: `cohort:write`.
         */
        patch: operations["addPersonsToCohort"];
        trace?: never;
    };
    "/api/projects/{project_id}/cohorts/{id}/remove_person_from_static_cohort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Remove a person from a static cohort; other persons are accepted without effect
         * @description Scope: `cohort:write`.
         */
        patch: operations["removePersonFromCohort"];
        trace?: never;
    };
    "/api/projects/{project_id}/persons/cohorts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cohorts of which a person is a member now
         * @description Scope: `person:read` and `cohort:read`.
         *
         *     Without `person_id` and `distinct_id`, the answer lists every cohort that has a member.
         */
        get: operations["listPersonCohorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages to a webhook, newest first
         * @description Scope: `webhook:read`.
         *
         *     They are kept for 30 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again, with the same id
         * @description Scope: `webhook:write`.
         *
         *     The message is made again from the history of its cohort, and sent once; the answer says what became of it. A message that still waits is tried at once, in its order, and the answer does not wait for it.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message, and see what the receiver answers
         * @description Scope: `webhook:write`.
         *
         *     The message has the type `webhook.test`. It is sent once, also while the webhook is paused.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Webhooks, newest first
         * @description Scope: `webhook:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Send the changes of cohorts to an address; only this answer contains the secret
         * @description Scope: `webhook:write` and `cohort:read` and `person:read`.
         *
         *     Each message is a POST that is signed as Standard Webhooks says (`webhook-id`, `webhook-timestamp`, `webhook-signature`), and has changes of one cohort, in the form of the feed. Changes of a cohort arrive in order, at least once: a message that is not answered with 2xx within 10 s is sent again, with the same `webhook-id`, after 5 s and then ever longer, for 3 days; then the webhook is paused. The first message is about what changes after this request. A project with 50 webhooks has no room for another: 409.
         *
         *     A repeated request gets the webhook as it is now, without its secret: when the first answer is lost, delete the webhook and create another one under a new `Idempotency-Key`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook
         * @description Scope: `webhook:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its log of deliveries
         * @description Scope: `webhook:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a webhook
         * @description Scope: `webhook:write` and `cohort:read` and `person:read`.
         *
         *     A cohort that is added starts after its last change. A message that was started keeps its content. A new `url`, or `paused: false`, tries what failed at once.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/project_costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the projects that the key opens take of ClickHouse, the most expensive first
         * @description Scope: `project:read`.
         *
         *     By questions, exports and calculations of cohorts, in the present hour and the 23 before it. Processes store their sums every 10 s; a process that is killed loses those of its last seconds. A project without a statement is not in the list.
         */
        get: operations["listProjectCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much a project may have, and has
         * @description Scope: `project:read`.
         *
         *     Counted exactly. Where a day has no room for all new events of a request, or of a chunk of an import, capture and imports answer 429 and store none of them, with the seconds until 00:00 UTC in `Retry-After`. Events that are in the log already need no room, and events of edits in the API are not counted. `PATCH /api/projects/{project_id}` sets quotas.
         */
        get: operations["getQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far persons get through a sequence of steps
         * @description Scope: `person:read`.
         */
        get: operations["getFunnel"];
        put?: never;
        /**
         * How far persons get through a sequence of steps
         * @description Scope: `person:read`.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["askFunnel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/funnel/correlation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What distinguishes persons who converted in a funnel from those who did not
         * @description Scope: `person:read`.
         */
        get: operations["getFunnelCorrelation"];
        put?: never;
        /**
         * What distinguishes persons who converted in a funnel from those who did not
         * @description Scope: `person:read`.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["askFunnelCorrelation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/lifecycle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * New, returning, resurrecting and dormant persons at each point
         * @description Scope: `person:read`.
         */
        get: operations["getLifecycle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/path": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The paths that persons take, edge by edge
         * @description Scope: `person:read`.
         */
        get: operations["getPaths"];
        put?: never;
        /**
         * The paths that persons take, edge by edge
         * @description Scope: `person:read`.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["askPaths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many of the persons who began come back
         * @description Scope: `person:read`.
         */
        get: operations["getRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/stickiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many intervals persons were active in
         * @description Scope: `person:read`.
         */
        get: operations["getStickiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/trends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Numbers of events and of persons over time
         * @description Scope: `person:read`.
         */
        get: operations["getTrends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/events/live/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of the last thirty minutes, and who was active in the last five
         * @description Scope: `event:read` and `person:read`.
         */
        get: operations["getLiveSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/query/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tables, columns, properties and functions of questions in SQL
         * @description Scope: `query:read`.
         */
        get: operations["getQuerySchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/query/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a question in SQL would read
         * @description Scope: `query:read`.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["explainInSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question in SQL
         * @description Scope: `query:read`.
         *
         *     A node of another kind than `HogQLQuery` is answered as by `askNode`.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["askInSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/query/{query}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a node of the reference product, such as a TrendsQuery
         * @description Scope: `query:read`.
         *
         *     The same as `POST query` with this node, in the form of the reference product. `docs/query-nodes.md` says what becomes of each field.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["askNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Alerts, newest first
         * @description Scope: `alert:read`.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Watch a number of a saved question; webhooks tell when it leaves its bounds
         * @description Scope: `alert:write` and `insight:read` and `person:read`.
         *
         *     The interval that ended last is decided at once, each later one a minute after its end, and each once: events that arrive later change nothing. The first interval of a breach fires (`alert.fired`), the first one after it resolves (`alert.resolved`); webhooks with these events get a message. A project with 100 alerts has no room for another: 409.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One alert, with its last checks
         * @description Scope: `alert:read`.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        /**
         * Delete an alert and its checks
         * @description Scope: `alert:write`.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        /**
         * Change, snooze, disable or enable an alert
         * @description Scope: `alert:write` and `insight:read` and `person:read`.
         *
         *     After a change of more than its name an alert begins anew: if it fires, `alert.resolved` says why it ends. An interval that was decided before stays as it was.
         */
        patch: operations["updateAlert"];
        trace?: never;
    };
    "/api/projects/{project_id}/alerts/{id}/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When an alert would have fired
         * @description Scope: `alert:read` and `insight:read` and `person:read`.
         *
         *     Decides the intervals of the past days as the alert does now, with the events that are stored now. Nothing is sent or recorded.
         */
        get: operations["backtestAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Annotations, latest moment first
         * @description Scope: `annotation:read`.
         */
        get: operations["listAnnotations"];
        put?: never;
        /**
         * Note what happened at a moment, such as a release; charts over time show it
         * @description Scope: `annotation:write`.
         *
         *     A project with 10000 annotations has no room for another: 409.
         */
        post: operations["createAnnotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/annotations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One annotation
         * @description Scope: `annotation:read`.
         */
        get: operations["getAnnotation"];
        put?: never;
        post?: never;
        /**
         * Delete an annotation
         * @description Scope: `annotation:write`.
         */
        delete: operations["deleteAnnotation"];
        options?: never;
        head?: never;
        /**
         * Change an annotation
         * @description Scope: `annotation:write`.
         */
        patch: operations["updateAnnotation"];
        trace?: never;
    };
    "/api/projects/{project_id}/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Dashboards, newest first
         * @description Scope: `dashboard:read`.
         */
        get: operations["listDashboards"];
        put?: never;
        /**
         * Create a dashboard, which shows saved questions
         * @description Scope: `dashboard:write`.
         *
         *     At most 50 tiles. A project with 500 dashboards has no room for another: 409.
         */
        post: operations["createDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/dashboards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One dashboard
         * @description Scope: `dashboard:read`.
         */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        /**
         * Delete a dashboard; its insights stay
         * @description Scope: `dashboard:write`.
         */
        delete: operations["deleteDashboard"];
        options?: never;
        head?: never;
        /**
         * Change a dashboard
         * @description Scope: `dashboard:write`.
         *
         *     `tiles` replaces all tiles; tiles that name their `id` keep it.
         */
        patch: operations["updateDashboard"];
        trace?: never;
    };
    "/api/projects/{project_id}/dashboards/{id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The answers of all tiles of a dashboard
         * @description Scope: `dashboard:read`.
         *
         *     The tiles are sent one after the other, as their answers are ready. A tile that fails has a `problem`, and the others go on; a key that lacks `person:read`, or `query:read` for questions in SQL, gets a problem in the place of these tiles. `date_from` and `date_to` replace the range of the dashboard; a question that has no such parameter keeps its own range.
         */
        get: operations["getDashboardAnswers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Saved questions, newest first
         * @description Scope: `insight:read`.
         */
        get: operations["listInsights"];
        put?: never;
        /**
         * Save a question
         * @description Scope: `insight:write`.
         *
         *     A project with 5000 insights has no room for another: 409.
         */
        post: operations["createInsight"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/insights/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One saved question
         * @description Scope: `insight:read`.
         *
         *     With `refresh` the answer has `result`, and the key needs the scope of the route of the question, as for `GET insights/{id}/answer`.
         */
        get: operations["getInsight"];
        put?: never;
        post?: never;
        /**
         * Delete a saved question
         * @description Scope: `insight:write`.
         *
         *     Its tiles disappear from dashboards; `dashboards` of the insight names these.
         */
        delete: operations["deleteInsight"];
        options?: never;
        head?: never;
        /**
         * Change a saved question
         * @description Scope: `insight:write`.
         */
        patch: operations["updateInsight"];
        trace?: never;
    };
    "/api/projects/{project_id}/insights/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The answer to a saved question
         * @description Scope: `insight:read`.
         *
         *     The key needs the scope of the route of the question too: `person:read`, or `query:read` for a question in SQL. A question in SQL has no time range to replace, and retention only an end.
         */
        get: operations["getInsightAnswer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/catalogue/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Names of events with their numbers and what uses them, most frequent of late first
         * @description Scope: `event:read`.
         */
        get: operations["listCatalogueEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Describe the name of an event, give it an owner, or hide it
         * @description Scope: `project:write` and `event:read`.
         *
         *     Fields that are left out stay as they are.
         */
        patch: operations["describeEvent"];
        trace?: never;
    };
    "/api/projects/{project_id}/catalogue/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Properties of events of the last 30 days, or of persons, most frequent first
         * @description Scope: `event:read`.
         *
         *     `kind=person` needs `person:read` too. The 1,000 most frequent properties of each day; the 5,000 most frequent ones of persons.
         */
        get: operations["listCatalogueProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Describe a property, give it an owner, or hide it
         * @description Scope: `project:write` and `event:read`.
         *
         *     Fields that are left out stay as they are. `kind: "person"` needs `person:read` too.
         */
        patch: operations["describeProperty"];
        trace?: never;
    };
    "/api/projects/{project_id}/event_definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Names of events as definitions, most frequent of late first
         * @description Scope: `event_definition:read`.
         *
         *     `catalogue/events` also has owners, and what uses each name.
         */
        get: operations["listEventDefinitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/event_definitions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The definition of an event
         * @description Scope: `event_definition:read`.
         */
        get: operations["getEventDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Describe, tag or hide the name of an event
         * @description Scope: `event_definition:write` and `event_definition:read`.
         */
        patch: operations["updateEventDefinition"];
        trace?: never;
    };
    "/api/projects/{project_id}/property_definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Properties of events of the last 30 days, or of persons, as definitions, most frequent first
         * @description Scope: `property_definition:read`.
         *
         *     `type=person` needs `person:read` too.
         */
        get: operations["listPropertyDefinitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/property_definitions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The definition of a property
         * @description Scope: `property_definition:read`.
         */
        get: operations["getPropertyDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Describe, tag or hide a property
         * @description Scope: `property_definition:write` and `property_definition:read`.
         */
        patch: operations["updatePropertyDefinition"];
        trace?: never;
    };
    "/api/projects/{project_id}/deletion_requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests to delete the events of deleted persons, newest first
         * @description Scope: `person:read`.
         */
        get: operations["listDeletionRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/deletion_requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One deletion request, with its progress and receipt
         * @description Scope: `person:read`.
         */
        get: operations["getDeletionRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receipts of the removal of expired events, newest first, or a preview of the next removal
         * @description Scope: `project:read` and `event:read`.
         *
         *     Events expire by the settings `events_ttl_days` and `events_ttl_days_by_name` of the project. `preview=true` counts, by month and by name, the events that the next scheduled run will remove, also for settings that are not stored yet; `limit` and `offset` are those of the list.
         */
        get: operations["getDataRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/export/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All events, as a file
         * @description Scope: `event:read`.
         *
         *     NDJSON is in the order of uuids, the other formats in the order of time. A line of NDJSON says `"changes_persons": false`, because the exported persons have what the event did to them, with every merge and split since: import both files. In CSV and Parquet `person_id` is the person to whom the event belongs now, and `properties` is one JSON text, without nulls. An event that arrives during an export may be missing in it. A client that reads nothing for half a minute is disconnected.
         */
        get: operations["exportEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/export/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All persons, as a file
         * @description Scope: `person:read`.
         *
         *     In the order of ids. NDJSON has all distinct ids, in several lines when a person has more than a hundred; CSV and Parquet have the first hundred. A client that reads nothing for half a minute is disconnected.
         */
        get: operations["exportPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is kept about one person, in one document
         * @description Scope: `person:read` and `event:read`.
         *
         *     All of one moment: it is read completely before the answer begins. A client that reads nothing for half a minute is disconnected.
         */
        get: operations["exportPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/export/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All groups, as a file
         * @description Scope: `group:read`.
         *
         *     In the order of ids. A line of NDJSON is the event `$groupidentify` that describes the group, and `import` reads it: import this file after the events. A client that reads nothing for half a minute is disconnected.
         */
        get: operations["exportGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The tools for programs that speak MCP
         * @description Scope: any valid key or session.
         *
         *     Streamable HTTP of the Model Context Protocol, without sessions: each message is a request of its own. The scopes of the key decide which tools there are. The guide [Agents](/docs/guides/agents.md) explains them.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this is
         * @description Names the documentation. A browser gets the console here; where the console is off or not built, it is redirected to the documentation.
         */
        get: operations["home"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process runs
         * @description For a supervisor that restarts a process: it asks no store.
         */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process can take requests
         * @description For a load balancer. It answers 503 while PostgreSQL is away or takes no changes, a migration is missing or the process stops; a worker also while ClickHouse is away, or its database is not the projection of this PostgreSQL. Without ClickHouse, and while that is being filled, a process with the API stays ready, because it takes in events. `can` says which part of the work is possible, and `checks` why; `checks.postgres` also names settings of the server that let a crash lose what was acknowledged.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/background_work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What waits for background work, in all projects; what has waited longest first
         * @description Scope: `*`.
         *
         *     What has waited for long is late: the log of the workers says why. Compression and the archive are listed by the process that does them.
         */
        get: operations["listBackgroundWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prometheus metrics
         * @description In the text format of Prometheus. On a port of its own when `METRICS_PORT` is set.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One person
         * @description Scope: `person:read`.
         */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        /**
         * Delete a person and, with delete_events, its events
         * @description Scope: `person:write`.
         *
         *     Without `delete_events` the events stay: insights count them, and they belong to no person until one of the distinct ids is used again. `POST persons/{id}/delete_events` deletes events and keeps the person.
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        /**
         * Set properties of a person; other properties stay unchanged
         * @description Scope: `person:write`.
         */
        patch: operations["updatePerson"];
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/delete_property": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove one property of a person
         * @description Scope: `person:write`.
         *
         *     A repeated request gets the current person (404 when it is gone).
         */
        post: operations["deletePersonProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/update_property": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set one property of a person
         * @description Scope: `person:write`.
         *
         *     A repeated request gets the current person (404 when it is gone).
         */
        post: operations["updatePersonProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge other persons into a person
         * @description Scope: `person:write`.
         *
         *     Works as the event `$merge_dangerously`: all distinct ids and past events go to the person, whose own property values win, and the other persons no longer exist. All persons are merged, or none.
         *
         *     A repeated request gets the current person (404 when the person is gone or was merged itself), and the persons merged then,.
         */
        post: operations["mergePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/merges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Merges of the last 90 days that made the person, newest first
         * @description Scope: `person:read`.
         *
         *     Contains the merges into the person and into persons that were merged into it later, and its own merges that were undone.
         */
        get: operations["listPersonMerges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/merges/{merge_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a merge of a person apart
         * @description Scope: `person:write`.
         *
         *     The merged person comes back with its id, uuid, distinct ids, past events, static cohorts and properties, and with what its ids have set since. What came by its ids since (other ids, merged persons) goes with it. Possible for 90 days, in any order.
         *
         *     A repeated request gets the current persons (404 when one of them is gone or was merged again).
         */
        post: operations["undoPersonMerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/split/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the latest split of a person
         * @description Scope: `person:write`.
         *
         *     The persons that the split made, and that still exist, become part of the person again, which has the properties from before the split and all that was set since. Possible for 90 days.
         *
         *     A repeated request gets the current person (404 when the person is gone), and the persons merged then,.
         */
        post: operations["undoPersonSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/properties_timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the crucial properties of a person changed between relevant events
         * @description Scope: `person:read`.
         *
         *     Replayed from the event log of the distinct ids that belong to the person now. A property that no event set, for example an imported one, counts as present from the start.
         */
        get: operations["getPersonPropertiesTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Persons, newest first
         * @description Scope: `person:read`.
         *
         *     All parameters combine by AND. CSV without `limit` contains all persons; `distinct_ids` has at most 100 entries, as in lists.
         */
        get: operations["listPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/batch_by_distinct_ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The persons of up to 200 distinct ids
         * @description Scope: `person:read`.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["getPersonsByDistinctIds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/batch_by_uuids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The persons of up to 200 uuids
         * @description Scope: `person:read`.
         *
         *     The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.
         */
        post: operations["getPersonsByUuids"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/distinct_ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All distinct ids of a person, in the order they were added
         * @description Scope: `person:read`.
         */
        get: operations["listDistinctIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Properties of persons, with the number of persons that have each
         * @description Scope: `person:read`.
         */
        get: operations["listPersonProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values of a property, most frequent first
         * @description Scope: `person:read`.
         */
        get: operations["listPropertyValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of all persons, newest first
         * @description Scope: `activity_log:read`.
         */
        get: operations["listPersonsActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of one person, newest first
         * @description Scope: `activity_log:read`.
         */
        get: operations["listPersonActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/bulk_delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 1,000 persons together
         * @description Scope: `person:write`.
         */
        post: operations["deletePersons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/delete_events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the events of a person, and keep the person
         * @description Scope: `person:write`.
         *
         *     All events of its distinct ids that were received until now are deleted in the next run.
         */
        post: operations["deletePersonEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/persons/{id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make distinct ids of a person separate persons
         * @description Scope: `person:write`.
         *
         *     A repeated request gets the current persons, without those that are gone (404 when the person itself is gone).
         */
        post: operations["splitPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActivityUserDto: {
            /**
             * @description Null stands for the service itself.
             * @example 1
             */
            id: number | null;
            /** @example Ada */
            first_name: string;
            /** @example Lovelace */
            last_name: string;
            /** @example ada@example.test */
            email: string | null;
            /**
             * @description Present and true when the service itself acted.
             * @example true
             */
            is_system?: boolean;
        };
        ActivityChangeDto: {
            /**
             * @description The kind of item that changed.
             * @example Person
             */
            type: string;
            /**
             * @example changed
             * @enum {string}
             */
            action: "created" | "changed" | "deleted" | "merged" | "split" | "imported" | "exported";
            /**
             * @description The field that changed; for a person, the key of the property.
             * @example plan
             */
            field: string | null;
            /**
             * @description Values of persons are not logged.
             * @example null
             */
            before: (string | null) | number | boolean | unknown[] | {
                [key: string]: unknown;
            };
            /**
             * @description Values of persons are not logged.
             * @example null
             */
            after: (string | null) | number | boolean | unknown[] | {
                [key: string]: unknown;
            };
        };
        ActivityDetailDto: {
            /** @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11 */
            name: string | null;
            changes: components["schemas"]["ActivityChangeDto"][];
        };
        ActivityEntryDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            user: components["schemas"]["ActivityUserDto"];
            /** @example updated */
            activity: string;
            /** @example Person */
            scope: string;
            /**
             * @description The id of the changed item, as text.
             * @example 41
             */
            item_id: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description The X-Request-Id of the request that made the change.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            request_id: string | null;
            detail: components["schemas"]["ActivityDetailDto"];
        };
        ActivityEntryPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ActivityEntryDto"][];
        };
        AuditEntryDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /** @description The signed-in user, or the user of the key. */
            user: components["schemas"]["ActivityUserDto"];
            /**
             * Format: uuid
             * @description The id of the key; null for a signed-in user.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            key_id: string | null;
            /**
             * @description The `operationId` of the request in this document.
             * @example getPerson
             */
            operation: string;
            /**
             * @description The ids in the address of the request, by the names of their parameters: of the path, and `person_id`, `cohort` and `cohort_id`.
             * @example {
             *       "id": "41"
             *     }
             */
            ids: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description Null: the answer goes on, or the process was killed meanwhile.
             * @example 2026-01-02T10:00:00.120Z
             */
            ended_at: string | null;
            /**
             * @description Null without an end, and when nothing was sent because the client had disconnected.
             * @example 200
             */
            status: number | null;
            /**
             * @description The records in the answer, if it is a list, a stream or a file of records; null for others and for a Parquet file of a question in SQL. An answer that is not complete may have had fewer.
             * @example 100
             */
            rows: number | null;
            /**
             * @description False: the connection ended before the answer did. Null without an end.
             * @example true
             */
            complete: boolean | null;
            /**
             * @description Its `X-Request-Id`.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            request_id: string;
        };
        AuditEntryPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["AuditEntryDto"][];
        };
        OrganizationProjectDto: {
            /** @example 1 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example Web shop */
            name: string;
            /**
             * Format: uuid
             * @description The installation.
             * @example 0199f5a2-0000-7000-8000-000000000001
             */
            organization: string;
            /** @example UTC */
            timezone: string;
        };
        OrganizationDto: {
            /**
             * Format: uuid
             * @description The same in every installation.
             * @example 0199f5a2-0000-7000-8000-000000000001
             */
            id: string;
            /** @example Kohort */
            name: string;
            /** @example kohort */
            slug: string;
            /** @description The projects that the session or the key opens. */
            projects: components["schemas"]["OrganizationProjectDto"][];
            /** @description The same as `projects`. */
            teams: components["schemas"]["OrganizationProjectDto"][];
        };
        OrganizationPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["OrganizationDto"][];
        };
        PathCleaningFilterDto: {
            /** @example /users/\d+ */
            regex: string;
            /** @example /users/:id */
            alias: string;
        };
        ProjectDto: {
            /** @example 1 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example Web shop */
            name: string;
            /**
             * Format: uuid
             * @description The installation.
             * @example 0199f5a2-0000-7000-8000-000000000001
             */
            organization: string;
            /**
             * @description Public: SDKs send it with every event.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            api_token: string;
            /**
             * Format: date-time
             * @description Until then the token before the last rotation captures too; null when it ended at once, or there was none.
             * @example null
             */
            previous_api_token_until: string | null;
            /** @example UTC */
            timezone: string;
            /** @example 0 */
            week_start_day: number;
            /**
             * @example [
             *       "email",
             *       "name",
             *       "username"
             *     ]
             */
            person_display_name_properties: string[];
            /** @example [] */
            test_account_filters: components["schemas"]["InsightFilter"][];
            /** @example [] */
            path_cleaning_filters: components["schemas"]["PathCleaningFilterDto"][];
            /**
             * @description Null keeps events for ever.
             * @example 365
             */
            events_ttl_days: number | null;
            /**
             * @example {
             *       "$pageview": 30,
             *       "order paid": null
             *     }
             */
            events_ttl_days_by_name: {
                [key: string]: number | null;
            };
            /**
             * @description How much the project may have; null: any number.
             * @example {
             *       "events_per_day": 1000000,
             *       "cohorts": 200,
             *       "members": null
             *     }
             */
            quotas: {
                events_per_day: number | null;
                cohorts: number | null;
                members: number | null;
            };
            /**
             * @description Whether `GET audit` lists who reads personal data.
             * @example false
             */
            audit_reads: boolean;
            /**
             * @description Whether visitors in cookieless mode are distinguished for a day.
             * @example false
             */
            cookieless_visitors: boolean;
        };
        ProjectPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ProjectDto"][];
        };
        CreateProjectBody: {
            /** @example Web shop */
            name: string;
            /**
             * @description IANA name; days, weeks and months of every insight begin there. Default: `"UTC"`.
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description 0 is Sunday. Default: `0`. */
            week_start_day?: number;
            /** @description The first of these properties that is not empty names a person. Default: `["email","name","username"]`. */
            person_display_name_properties?: string[];
            /**
             * @description Filters that filter_test_accounts=true adds to a question. They are checked when they are stored: operators, values, regular expressions (RE2), and that their cohorts exist in the project. Default: `[]`.
             * @example []
             */
            test_account_filters?: components["schemas"]["InsightFilter"][];
            /** @description Rewrites of page addresses that path_replacements=true applies. RE2 must accept each regular expression, and each alias may refer only to groups of its expression. Default: `[]`. */
            path_cleaning_filters?: components["schemas"]["PathCleaningFilterDto"][];
            /**
             * @description The weekly job removes events whose timestamp is older than this many days, but none that arrived within the last day. Null keeps events for ever. `GET retention?preview=true` counts what a value would remove. Default: `null`.
             * @example null
             */
            events_ttl_days?: number | null;
            /**
             * @description Event names that are kept for another number of days than `events_ttl_days`; null: for ever. Default: `{}`.
             * @example {
             *       "$pageview": 30,
             *       "order paid": null
             *     }
             */
            events_ttl_days_by_name?: {
                [key: string]: number | null;
            };
            /**
             * @description How much the project may have; null: any number. Only owners of the installation, and keys with the scope `*` on all projects, set quotas. `events_per_day` limits what capture and imports store in a day in UTC, `cohorts` those that are not deleted, `members` all with a role. `GET quotas` shows what is used, and warns from 80 % on. Default: `{"events_per_day":null,"cohorts":null,"members":null}`.
             * @example {
             *       "events_per_day": 1000000,
             *       "cohorts": 200,
             *       "members": null
             *     }
             */
            quotas?: {
                events_per_day?: number | null;
                cohorts?: number | null;
                members?: number | null;
            };
            /** @description Records who reads personal data of the project: `GET audit` lists the requests. Only owners of the installation, and keys with the scope `*` on all projects, turn it on and off. Default: `false`. */
            audit_reads?: boolean;
            /** @description Distinguishes visitors in the cookieless mode of SDKs by a hash of address, host and browser whose key is made for each day (UTC) and then destroyed. Without it all of them count as one visitor. Default: `false`. */
            cookieless_visitors?: boolean;
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `uuid`, `organization`, `api_token`, `previous_api_token_until`; a value that differs from the record is a 400. */
        UpdateProjectBody: {
            /** @example Web shop */
            name?: string;
            /**
             * @description IANA name; days, weeks and months of every insight begin there. Default: `"UTC"`.
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description 0 is Sunday. Default: `0`. */
            week_start_day?: number;
            /** @description The first of these properties that is not empty names a person. Default: `["email","name","username"]`. */
            person_display_name_properties?: string[];
            /**
             * @description Filters that filter_test_accounts=true adds to a question. They are checked when they are stored: operators, values, regular expressions (RE2), and that their cohorts exist in the project. Default: `[]`.
             * @example []
             */
            test_account_filters?: components["schemas"]["InsightFilter"][];
            /** @description Rewrites of page addresses that path_replacements=true applies. RE2 must accept each regular expression, and each alias may refer only to groups of its expression. Default: `[]`. */
            path_cleaning_filters?: components["schemas"]["PathCleaningFilterDto"][];
            /**
             * @description The weekly job removes events whose timestamp is older than this many days, but none that arrived within the last day. Null keeps events for ever. `GET retention?preview=true` counts what a value would remove. Default: `null`.
             * @example null
             */
            events_ttl_days?: number | null;
            /**
             * @description Event names that are kept for another number of days than `events_ttl_days`; null: for ever. Default: `{}`.
             * @example {
             *       "$pageview": 30,
             *       "order paid": null
             *     }
             */
            events_ttl_days_by_name?: {
                [key: string]: number | null;
            };
            /**
             * @description How much the project may have; null: any number. Only owners of the installation, and keys with the scope `*` on all projects, set quotas. `events_per_day` limits what capture and imports store in a day in UTC, `cohorts` those that are not deleted, `members` all with a role. `GET quotas` shows what is used, and warns from 80 % on. Default: `{"events_per_day":null,"cohorts":null,"members":null}`.
             * @example {
             *       "events_per_day": 1000000,
             *       "cohorts": 200,
             *       "members": null
             *     }
             */
            quotas?: {
                events_per_day?: number | null;
                cohorts?: number | null;
                members?: number | null;
            };
            /** @description Records who reads personal data of the project: `GET audit` lists the requests. Only owners of the installation, and keys with the scope `*` on all projects, turn it on and off. Default: `false`. */
            audit_reads?: boolean;
            /** @description Distinguishes visitors in the cookieless mode of SDKs by a hash of address, host and browser whose key is made for each day (UTC) and then destroyed. Without it all of them count as one visitor. Default: `false`. */
            cookieless_visitors?: boolean;
        };
        RemovedRowsDto: {
            /**
             * @description Rows removed so far, by table.
             * @example {
             *       "events": 1200,
             *       "persons": 40
             *     }
             */
            postgresql: {
                [key: string]: number;
            };
            /**
             * @description Rows that were counted before the removal, by table, with those found later.
             * @example {
             *       "events": 1200,
             *       "persons": 40
             *     }
             */
            clickhouse: {
                [key: string]: number;
            };
        };
        ProjectDeletionDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * @description The id of the deleted project, which is never used again.
             * @example 2
             */
            project_id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7f
             */
            project_uuid: string;
            /** @example Web shop */
            project_name: string;
            /**
             * @example completed
             * @enum {string}
             */
            state: "pending" | "running" | "completed";
            /**
             * @description The id of the user; null for an operator at the command line.
             * @example 1
             */
            requested_by: number | null;
            /**
             * @description The `X-Request-Id` of the request; null for an operator at the command line.
             * @example clean-up-7
             */
            request_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:01.000Z
             */
            started_at: string | null;
            removed: components["schemas"]["RemovedRowsDto"];
            /**
             * Format: date-time
             * @description The time at which neither store had a row of the project, and the project itself was removed.
             * @example 2026-01-02T10:00:09.000Z
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description The last time at which both stores were counted and had nothing of the project.
             * @example 2026-01-02T10:10:09.000Z
             */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description The time of the second look, ten minutes after the first: work that was under way when the project was deleted, such as the calculation of a cohort, may have written to ClickHouse until then. Null before it.
             * @example 2026-01-02T10:10:09.000Z
             */
            settled_at: string | null;
            /**
             * @description The reason why the last attempt did not finish; the job retries by itself.
             * @example null
             */
            error: string | null;
        };
        RotateTokenBody: {
            /**
             * @description How long the token that is replaced goes on capturing. 0 ends it at once. Default: `604800`.
             * @example 86400
             */
            grace_seconds?: number;
        };
        ProjectDeletionPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ProjectDeletionDto"][];
        };
        AbsentDto: Record<string, never>;
        AbsentPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["AbsentDto"][];
        };
        KeyDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /** @example nightly export */
            label: string;
            /**
             * @description The text of the key, in the answers to its creation and its rotation only.
             * @example null
             */
            value: string | null;
            /**
             * @description The masked key, for display in lists.
             * @example phx_…9fQz
             */
            mask_value: string;
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation works too; null when it does not.
             * @example null
             */
            previous_value_until: string | null;
            /** @example 1 */
            user_id: number;
            /**
             * @example [
             *       "person:read",
             *       "cohort:read"
             *     ]
             */
            scopes: ("person:read" | "person:write" | "group:read" | "group:write" | "cohort:read" | "cohort:write" | "action:read" | "action:write" | "webhook:read" | "webhook:write" | "insight:read" | "insight:write" | "dashboard:read" | "dashboard:write" | "annotation:read" | "annotation:write" | "alert:read" | "alert:write" | "event_definition:read" | "event_definition:write" | "property_definition:read" | "property_definition:write" | "activity_log:read" | "event:read" | "query:read" | "project:read" | "project:write" | "organization:read" | "user:read" | "api_key:read" | "api_key:write" | "*")[];
            /**
             * @example [
             *       1
             *     ]
             */
            scoped_projects: number[] | null;
            /**
             * @description The same as `scoped_projects`, but empty for all, as clients of the reference product read it.
             * @example [
             *       1
             *     ]
             */
            scoped_teams: number[];
            /**
             * @description Always empty: the installation is the only organization.
             * @example []
             */
            scoped_organizations: string[];
            /**
             * Format: uuid
             * @description The key that made this one, or gave it its present secret, and whose revocation revokes it too; null for a key made by an operator.
             * @example null
             */
            created_by_key_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Precise to the hour.
             * @example null
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            expires_at: string | null;
        };
        KeyPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["KeyDto"][];
        };
        CreateKeyBody: {
            /** @example nightly export */
            label: string;
            /**
             * @example [
             *       "person:read",
             *       "cohort:read"
             *     ]
             */
            scopes: ("person:read" | "person:write" | "group:read" | "group:write" | "cohort:read" | "cohort:write" | "action:read" | "action:write" | "webhook:read" | "webhook:write" | "insight:read" | "insight:write" | "dashboard:read" | "dashboard:write" | "annotation:read" | "annotation:write" | "alert:read" | "alert:write" | "event_definition:read" | "event_definition:write" | "property_definition:read" | "property_definition:write" | "activity_log:read" | "event:read" | "query:read" | "project:read" | "project:write" | "organization:read" | "user:read" | "api_key:read" | "api_key:write" | "*")[];
            /**
             * @description The projects that the key is limited to; null for all. Default: `null`.
             * @example [
             *       1
             *     ]
             */
            scoped_projects?: number[] | null;
            /**
             * Format: date-time
             * @description The expiry of the key; null for never. Default: `null`.
             * @example 2030-01-01T00:00:00.000Z
             */
            expires_at?: string | null;
        };
        MadeInvitationDto: {
            /** @example 1 */
            project_id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
        };
        MadeMemberDto: {
            /** @example 1 */
            project_id: number;
            /** @example 2 */
            user_id: number;
        };
        MadeUserDto: {
            /** @example 2 */
            id: number;
        };
        MadeWebhookDto: {
            /** @example 1 */
            project_id: number;
            /** @example 3 */
            id: number;
        };
        KeyCreationsDto: {
            /** @description Open ones. They end when the key is revoked. */
            invitations: components["schemas"]["MadeInvitationDto"][];
            /** @description Members whose present role the key has given, also by an invitation that was accepted. */
            members: components["schemas"]["MadeMemberDto"][];
            /** @description Users that the key has made, or made owners of the installation. */
            users: components["schemas"]["MadeUserDto"][];
            /** @description Webhooks that the key has made, or given their present address. */
            webhooks: components["schemas"]["MadeWebhookDto"][];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `value`, `mask_value`, `user_id`, `created_by_key_id`, `created_at`; a value that differs from the record is a 400. The service itself changes `last_used_at`, `previous_value_until`, `scoped_teams`, `scoped_organizations`: any value is accepted and has no effect. */
        UpdateKeyBody: {
            /** @example nightly export */
            label?: string;
            /**
             * @example [
             *       "person:read",
             *       "cohort:read"
             *     ]
             */
            scopes?: ("person:read" | "person:write" | "group:read" | "group:write" | "cohort:read" | "cohort:write" | "action:read" | "action:write" | "webhook:read" | "webhook:write" | "insight:read" | "insight:write" | "dashboard:read" | "dashboard:write" | "annotation:read" | "annotation:write" | "alert:read" | "alert:write" | "event_definition:read" | "event_definition:write" | "property_definition:read" | "property_definition:write" | "activity_log:read" | "event:read" | "query:read" | "project:read" | "project:write" | "organization:read" | "user:read" | "api_key:read" | "api_key:write" | "*")[];
            /**
             * @description The projects that the key is limited to; null for all. Default: `null`.
             * @example [
             *       1
             *     ]
             */
            scoped_projects?: number[] | null;
            /**
             * Format: date-time
             * @description The expiry of the key; null for never. Default: `null`.
             * @example 2030-01-01T00:00:00.000Z
             */
            expires_at?: string | null;
        };
        RotateKeyBody: {
            /**
             * @description How long the secret that is replaced goes on working. 0 ends it at once, as a leaked one should. Default: `86400`.
             * @example 3600
             */
            overlap_seconds?: number;
        };
        OwnTeamDto: {
            /** @example 1 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example Web shop */
            name: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: uuid
             * @example 0199f5a2-0000-7000-8000-000000000001
             */
            organization: string;
        };
        OwnProjectDto: {
            /** @example 1 */
            id: number;
            /** @example Web shop */
            name: string;
            /**
             * @description The role of the user; null where only a key opens the project.
             * @example member
             * @enum {string|null}
             */
            role: "viewer" | "member" | "admin" | "owner" | null;
            /**
             * @description Every scope that the session or the key of this request has in the project.
             * @example [
             *       "person:read",
             *       "cohort:read"
             *     ]
             */
            scopes: ("person:read" | "person:write" | "group:read" | "group:write" | "cohort:read" | "cohort:write" | "action:read" | "action:write" | "webhook:read" | "webhook:write" | "insight:read" | "insight:write" | "dashboard:read" | "dashboard:write" | "annotation:read" | "annotation:write" | "alert:read" | "alert:write" | "event_definition:read" | "event_definition:write" | "property_definition:read" | "property_definition:write" | "activity_log:read" | "event:read" | "query:read" | "project:read" | "project:write" | "organization:read" | "user:read" | "api_key:read" | "api_key:write")[];
        };
        OwnOrganizationDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-0000-7000-8000-000000000001
             */
            id: string;
            /** @example Kohort */
            name: string;
            /** @example kohort */
            slug: string;
        };
        MeDto: {
            /** @example 1 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example 8s0fKqZ1xWv3 */
            distinct_id: string;
            /** @example Ada */
            first_name: string;
            /** @example Lovelace */
            last_name: string;
            /** @example ada@example.test */
            email: string;
            /** @example true */
            is_email_verified: boolean;
            /**
             * @description Free-form.
             * @example {}
             */
            hedgehog_config: {
                [key: string]: unknown;
            };
            /**
             * @description Whether the user owns the installation, and so may do everything.
             * @example false
             */
            is_owner: boolean;
            /**
             * @description Whether the user can sign in with a password.
             * @example true
             */
            has_password: boolean;
            /**
             * @description Whether the user can sign in by the provider of single sign-on.
             * @example false
             */
            has_single_sign_on: boolean;
            /** @description The projects that the session or the key opens. */
            projects: components["schemas"]["OwnProjectDto"][];
            /** @description The installation. */
            organization: components["schemas"]["OwnOrganizationDto"];
            /** @description The installation alone. */
            organizations: components["schemas"]["OwnOrganizationDto"][];
            /**
             * @description The first of the projects, where clients of the reference product begin; null without a project.
             * @example null
             */
            team: components["schemas"]["OwnTeamDto"] | null;
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `uuid`, `distinct_id`, `email`, `is_email_verified`, `hedgehog_config`, `is_owner`, `has_password`, `has_single_sign_on`, `organization`, `organizations`, `team`; a value that differs from the record is a 400. The service itself changes `projects`: any value is accepted and has no effect. */
        UpdateMeBody: {
            /** @example Ada */
            first_name?: string;
            /** @example Lovelace */
            last_name?: string;
            /**
             * Format: password
             * @example correct horse battery staple
             */
            password?: string;
            /**
             * Format: password
             * @description Required with `password` by a user who has one.
             * @example correct horse battery staple
             */
            current_password?: string;
        };
        AccountDto: {
            /** @example 2 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example Grace */
            first_name: string;
            /** @example Hopper */
            last_name: string;
            /** @example grace@example.test */
            email: string;
            /**
             * @description Whether the user owns the installation, and so may do everything.
             * @example false
             */
            is_owner: boolean;
            /**
             * @description Whether the user can sign in with a password.
             * @example true
             */
            has_password: boolean;
            /**
             * @description The number of projects with a role for the user.
             * @example 1
             */
            project_count: number;
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            created_at: string;
        };
        AccountPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["AccountDto"][];
        };
        CreateAccountBody: {
            /** @example grace@example.test */
            email: string;
            /** @example Grace */
            first_name?: string;
            /** @example Hopper */
            last_name?: string;
            /**
             * @description Makes the user an owner of the installation.
             * @example false
             */
            is_owner?: boolean;
        };
        NewAccountDto: {
            /** @example 2 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example Grace */
            first_name: string;
            /** @example Hopper */
            last_name: string;
            /** @example grace@example.test */
            email: string;
            /**
             * @description Whether the user owns the installation, and so may do everything.
             * @example false
             */
            is_owner: boolean;
            /**
             * @description Whether the user can sign in with a password.
             * @example true
             */
            has_password: boolean;
            /**
             * @description The number of projects with a role for the user.
             * @example 1
             */
            project_count: number;
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            created_at: string;
            /**
             * @description The link by which the user sets a password: it works once, and only this answer contains it.
             * @example https://kohort.example.test/#invitation=kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E
             */
            link: string | null;
            /**
             * Format: date-time
             * @example 2026-01-08T00:00:00.000Z
             */
            link_expires_at: string | null;
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `uuid`, `email`, `has_password`, `created_at`; a value that differs from the record is a 400. The service itself changes `project_count`: any value is accepted and has no effect. */
        UpdateAccountBody: {
            /** @example Grace */
            first_name?: string;
            /** @example Hopper */
            last_name?: string;
            /**
             * @description Makes the user an owner of the installation.
             * @example false
             */
            is_owner?: boolean;
        };
        PasswordLinkDto: {
            /**
             * @description The link by which the user sets a password: it works once, and only this answer contains it.
             * @example https://kohort.example.test/#invitation=kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E
             */
            link: string | null;
            /**
             * Format: date-time
             * @example 2026-01-08T00:00:00.000Z
             */
            link_expires_at: string | null;
        };
        SessionDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Precise to the hour.
             * @example 2026-01-02T10:00:00.000Z
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description 14 days after `last_seen_at`, with which it moves.
             * @example 2026-01-16T10:00:00.000Z
             */
            expires_at: string;
            /**
             * @description The network from which the user signed in, shortened.
             * @example 203.0.113.0/24
             */
            address: string;
            /** @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 */
            user_agent: string;
            /**
             * @description Whether it is the session of this request.
             * @example true
             */
            is_current: boolean;
        };
        SessionPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["SessionDto"][];
        };
        InvitedProjectDto: {
            /** @example 1 */
            id: number;
            /** @example Web shop */
            name: string;
        };
        InvitationTokenBody: {
            /**
             * @description The part of the link after `#invitation=`.
             * @example kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E
             */
            token: string;
        };
        InvitationPreviewDto: {
            /** @example grace@example.test */
            email: string;
            /**
             * @description Null for a link that sets the password of a user.
             * @example {
             *       "id": 1,
             *       "name": "Web shop"
             *     }
             */
            project: components["schemas"]["InvitedProjectDto"] | null;
            /**
             * @example member
             * @enum {string|null}
             */
            role: "viewer" | "member" | "admin" | null;
            /**
             * @description `new_password`: accept it with a new password. `password`: with the password of the user with this e-mail, or signed in as this user; when there is no such user yet, with a new password. The answer does not tell which.
             * @example password
             * @enum {string}
             */
            needs: "new_password" | "password";
        };
        AcceptInvitationBody: {
            /**
             * @description The part of the link after `#invitation=`.
             * @example kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E
             */
            token: string;
            /**
             * Format: password
             * @example correct horse battery staple
             */
            password?: string;
            /** @example Grace */
            first_name?: string;
            /** @example Hopper */
            last_name?: string;
        };
        AcceptedInvitationDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Precise to the hour.
             * @example 2026-01-02T10:00:00.000Z
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description 14 days after `last_seen_at`, with which it moves.
             * @example 2026-01-16T10:00:00.000Z
             */
            expires_at: string;
            /**
             * @description The network from which the user signed in, shortened.
             * @example 203.0.113.0/24
             */
            address: string;
            /** @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 */
            user_agent: string;
            /**
             * @description Whether it is the session of this request.
             * @example true
             */
            is_current: boolean;
            /**
             * @description The project that the user is now a member of.
             * @example 1
             */
            project_id?: number;
        };
        OidcDto: {
            /**
             * @description The name on the button.
             * @example Example Identity
             */
            name: string;
        };
        ConsoleDto: {
            /** @example 1.0.0 */
            version: string;
            /**
             * @description The provider of single sign-on; null without one.
             * @example null
             */
            oidc: components["schemas"]["OidcDto"] | null;
            /**
             * @description Where the documentation of this interface is.
             * @example /docs
             */
            docs: string;
        };
        InvitationDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /** @example grace@example.test */
            email: string;
            /**
             * @example member
             * @enum {string}
             */
            role: "viewer" | "member" | "admin";
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-08T00:00:00.000Z
             */
            expires_at: string;
        };
        InvitationPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["InvitationDto"][];
        };
        CreateInvitationBody: {
            /** @example grace@example.test */
            email: string;
            /**
             * @example member
             * @enum {string}
             */
            role: "viewer" | "member" | "admin";
        };
        NewInvitationDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /** @example grace@example.test */
            email: string;
            /**
             * @example member
             * @enum {string}
             */
            role: "viewer" | "member" | "admin";
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-08T00:00:00.000Z
             */
            expires_at: string;
            /**
             * @description The link to hand to the person, in the answer to the creation only.
             * @example https://kohort.example.test/#invitation=kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E
             */
            link: string | null;
        };
        MemberUserDto: {
            /** @example 2 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example Grace */
            first_name: string;
            /** @example Hopper */
            last_name: string;
            /** @example grace@example.test */
            email: string;
        };
        MemberDto: {
            user: components["schemas"]["MemberUserDto"];
            /**
             * @example member
             * @enum {string}
             */
            role: "viewer" | "member" | "admin";
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            joined_at: string;
        };
        MemberPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["MemberDto"][];
        };
        CreateMemberBody: {
            /**
             * @description The e-mail of a user of the installation.
             * @example grace@example.test
             */
            email?: string;
            /**
             * @description Instead of the e-mail.
             * @example 2
             */
            user_id?: number;
            /**
             * @example member
             * @enum {string}
             */
            role: "viewer" | "member" | "admin";
        };
        /** @description The record may be sent back as it was read. Read-only: `user`, `joined_at`; a value that differs from the record is a 400. */
        UpdateMemberBody: {
            /**
             * @example admin
             * @enum {string}
             */
            role?: "viewer" | "member" | "admin";
        };
        SignInBody: {
            /** @example ada@example.test */
            email?: string;
            /**
             * Format: password
             * @example correct horse battery staple
             */
            password?: string;
            /**
             * @description Instead of e-mail and password: the token of a link that signs in once.
             * @example kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E
             */
            link_token?: string;
        };
        UserDto: {
            /** @example 1 */
            id: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example 8s0fKqZ1xWv3 */
            distinct_id: string;
            /** @example Ada */
            first_name: string;
            /** @example Lovelace */
            last_name: string;
            /** @example ada@example.test */
            email: string;
            /** @example true */
            is_email_verified: boolean;
            /**
             * @description Free-form.
             * @example {}
             */
            hedgehog_config: {
                [key: string]: unknown;
            };
        };
        ActionStepDto: {
            /**
             * @description Null stands for any event.
             * @example $pageview
             */
            event: string | null;
            /**
             * @description The filters as they were sent.
             * @example []
             */
            properties: components["schemas"]["InsightFilters"];
            /** @example /checkout */
            url: string | null;
            /**
             * @example contains
             * @enum {string}
             */
            url_matching: "contains" | "exact" | "regex";
            /** @example null */
            href: string | null;
            /** @example null */
            text: string | null;
        };
        ActionDto: {
            /** @example 7 */
            id: number;
            /** @example Checkout */
            name: string;
            /** @example  */
            description: string;
            steps: components["schemas"]["ActionStepDto"][];
            /**
             * @example [
             *       "checkout"
             *     ]
             */
            tags: string[];
            /**
             * @description The user of the key that made the action.
             * @example null
             */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description True only in the answer to the request that deletes the record.
             * @example false
             */
            deleted: boolean;
        };
        ActionPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ActionDto"][];
        };
        ActionStepBody: {
            /**
             * @description The name of the event; any event by default.
             * @example $pageview
             */
            event?: string | null;
            /**
             * @description Filters on the event, its person or cohorts: a list (all of which must hold) or a group.
             * @example [
             *       {
             *         "type": "event",
             *         "key": "plan",
             *         "operator": "exact",
             *         "value": [
             *           "pro"
             *         ]
             *       }
             *     ]
             */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description The address of the page, `$current_url`.
             * @example https://shop.example.test/checkout
             */
            url?: string | null;
            /**
             * @description How `url` is compared. contains: it is a part of the address, in which `%` stands for any text; regex: RE2. Upper and lower case differ. Default: `"contains"`.
             * @example contains
             * @enum {string}
             */
            url_matching?: "contains" | "exact" | "regex";
            /**
             * @description The link of the clicked element, or of an element around it.
             * @example /pricing
             */
            href?: string | null;
            /**
             * @description The text of the clicked element, or of an element around it.
             * @example Buy now
             */
            text?: string | null;
            /**
             * @description Must be null: elements are not matched by CSS selectors.
             * @example null
             * @enum {string|null}
             */
            selector?: null;
        };
        CreateActionBody: {
            /** @example Checkout */
            name: string;
            /** @example  */
            description?: string | null;
            /**
             * @description An event matches the action if it matches one step, and a step if all that the step says holds. At most 20 steps, 100 filters (`url` counts as one, `href` as two, `text` as three) and 20000 characters of JSON.
             * @example [
             *       {
             *         "event": "$pageview",
             *         "url": "/checkout",
             *         "url_matching": "contains"
             *       }
             *     ]
             */
            steps: components["schemas"]["ActionStepBody"][];
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `created_by`, `created_at`; a value that differs from the record is a 400. */
        UpdateActionBody: {
            /** @example Checkout */
            name?: string;
            /** @example  */
            description?: string | null;
            /**
             * @description An event matches the action if it matches one step, and a step if all that the step says holds. At most 20 steps, 100 filters (`url` counts as one, `href` as two, `text` as three) and 20000 characters of JSON.
             * @example [
             *       {
             *         "event": "$pageview",
             *         "url": "/checkout",
             *         "url_matching": "contains"
             *       }
             *     ]
             */
            steps?: components["schemas"]["ActionStepBody"][];
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description `true` deletes the record, as DELETE does; the other fields then have no effect.
             * @example false
             */
            deleted?: boolean | null;
        };
        MergedIntoDto: {
            /** @example 41 */
            id: number;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
        };
        ProblemDto: {
            /**
             * @example validation_error
             * @enum {string}
             */
            type: "validation_error" | "authentication_error" | "invalid_request" | "throttled_error" | "server_error";
            /**
             * @example invalid_input
             * @enum {string}
             */
            code: "required" | "invalid_input" | "parse_error" | "not_authenticated" | "authentication_failed" | "permission_denied" | "not_found" | "merged" | "method_not_allowed" | "conflict" | "too_large" | "timeout" | "unsupported_media_type" | "throttled" | "too_expensive" | "unavailable" | "error";
            /**
             * @description What is wrong and what would be valid.
             * @example limit must be an integer from 1 to 1000
             */
            detail: string;
            /**
             * @description Path of the offending field, null when there is none.
             * @example limit
             */
            attr: string | null;
            /** @example 400 */
            status: number;
            /**
             * @description The X-Request-Id of this answer.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            request_id: string;
            /** @description With the code `merged`: the person into which the person of the id was merged. */
            merged_into?: components["schemas"]["MergedIntoDto"];
            /**
             * @description When a split does not say which ids leave: the distinct ids of the person, at most 1,000.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids?: string[];
            /**
             * @description In a question in SQL: the line of the fault, from 1.
             * @example 1
             */
            line?: number;
            /**
             * @description The column of the fault in its line, from 1.
             * @example 8
             */
            column?: number;
        };
        RejectionDto: {
            /**
             * @description Position in the request, from 0.
             * @example 1
             */
            index: number;
            /** @example null */
            uuid: string | null;
            /**
             * @example required
             * @enum {string}
             */
            code: "required" | "invalid_input" | "too_large";
            /** @example distinct_id is required */
            detail: string;
        };
        CaptureProblemDto: {
            /**
             * @example validation_error
             * @enum {string}
             */
            type: "validation_error" | "authentication_error" | "invalid_request" | "throttled_error" | "server_error";
            /**
             * @example invalid_input
             * @enum {string}
             */
            code: "required" | "invalid_input" | "parse_error" | "not_authenticated" | "authentication_failed" | "permission_denied" | "not_found" | "merged" | "method_not_allowed" | "conflict" | "too_large" | "timeout" | "unsupported_media_type" | "throttled" | "too_expensive" | "unavailable" | "error";
            /**
             * @description What is wrong and what would be valid.
             * @example limit must be an integer from 1 to 1000
             */
            detail: string;
            /**
             * @description Path of the offending field, null when there is none.
             * @example limit
             */
            attr: string | null;
            /** @example 400 */
            status: number;
            /**
             * @description The X-Request-Id of this answer.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            request_id: string;
            /** @description With the code `merged`: the person into which the person of the id was merged. */
            merged_into?: components["schemas"]["MergedIntoDto"];
            /**
             * @description When a split does not say which ids leave: the distinct ids of the person, at most 1,000.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids?: string[];
            /**
             * @description In a question in SQL: the line of the fault, from 1.
             * @example 1
             */
            line?: number;
            /**
             * @description The column of the fault in its line, from 1.
             * @example 8
             */
            column?: number;
            /** @example 0 */
            accepted?: number;
            /** @example 0 */
            duplicates?: number;
            /** @example [] */
            rejected?: components["schemas"]["RejectionDto"][];
        };
        CaptureWarningDto: {
            /**
             * @description Position in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example ignored_invalid_timestamp */
            type: string;
            /** @example timestamp is not a time in the years 1900 to 2299; the current time is used */
            detail: string;
        };
        CaptureReplyDto: {
            /**
             * @example 1
             * @enum {integer}
             */
            status: 1;
            /**
             * @description Events that are new in the log.
             * @example 2
             */
            accepted: number;
            /**
             * @description Events whose uuid was already in the log.
             * @example 0
             */
            duplicates: number;
            /**
             * @description Rejected events with their reasons.
             * @example []
             */
            rejected: components["schemas"]["RejectionDto"][];
            /**
             * @description The first parts of accepted events that were read differently from how they were written; absent when there are none. `GET ingestion_warnings` lists them too.
             * @example []
             */
            warnings?: components["schemas"]["CaptureWarningDto"][];
        };
        ResultDto: {
            /**
             * @example ok
             * @enum {string}
             */
            result: "ok" | "drop";
            /**
             * @description The reason why the event was rejected.
             * @example event is missing
             */
            details?: string;
        };
        CaptureResultsDto: {
            /**
             * @example 1
             * @enum {integer}
             */
            status: 1;
            /**
             * @description Events that are new in the log.
             * @example 2
             */
            accepted: number;
            /**
             * @description Events whose uuid was already in the log.
             * @example 0
             */
            duplicates: number;
            /**
             * @description Rejected events with their reasons.
             * @example []
             */
            rejected: components["schemas"]["RejectionDto"][];
            /**
             * @description The first parts of accepted events that were read differently from how they were written; absent when there are none. `GET ingestion_warnings` lists them too.
             * @example []
             */
            warnings?: components["schemas"]["CaptureWarningDto"][];
            /**
             * @description The result of every event, by its uuid.
             * @example {
             *       "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e": {
             *         "result": "ok"
             *       }
             *     }
             */
            results: {
                [key: string]: components["schemas"]["ResultDto"];
            };
        };
        SegmentReplyDto: {
            /**
             * @example 1
             * @enum {integer}
             */
            status: 1;
            /**
             * @description Events that are new in the log.
             * @example 2
             */
            accepted: number;
            /**
             * @description Events whose uuid was already in the log.
             * @example 0
             */
            duplicates: number;
            /**
             * @description Rejected events with their reasons.
             * @example []
             */
            rejected: components["schemas"]["RejectionDto"][];
            /**
             * @description The first parts of accepted events that were read differently from how they were written; absent when there are none. `GET ingestion_warnings` lists them too.
             * @example []
             */
            warnings?: components["schemas"]["CaptureWarningDto"][];
            /**
             * @description What clients of Segment read.
             * @example true
             * @enum {boolean}
             */
            success: true;
        };
        EventDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example signed up */
            event: string;
            /** @example ada */
            distinct_id: string;
            /**
             * @description The person to which the distinct id belongs now; null when there is none.
             * @example 41
             */
            person_id: number | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.120Z
             */
            received_at: string;
            /**
             * @example {
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
        };
        SkippedDto: {
            /**
             * @description How many events are not shown here: too many came at once, or the client read too slowly. Under a filter, events that were not compared with it count too. null when the stream was resumed after more than five minutes, and it is not known whether any is missing.
             * @example 950
             */
            count: number | null;
        };
        QuestionWarningDto: {
            /**
             * @description With `not_checked` the names in the question were not checked, because this took too long: other warnings about them may be missing.
             * @example unknown_event
             * @enum {string}
             */
            code: "unknown_event" | "unknown_property" | "no_number" | "no_path" | "mixed_types" | "not_checked";
            /** @example no event named sigend up has arrived: did you mean signed up? */
            detail: string;
        };
        EventPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["EventDto"][];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        EventNameDto: {
            /** @example signed up */
            name: string;
            /**
             * @description The number of events with this name.
             * @example 1200
             */
            count: number;
        };
        EventNamePage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["EventNameDto"][];
        };
        PropertyValueDto: {
            /**
             * @description Typed as stored; lists and objects are their JSON text. A text longer than 1,000 characters is cut and ends in `…`.
             * @example pro
             */
            name: string | number | boolean;
            /**
             * @description The number of persons or events that have the value.
             * @example 12
             */
            count: number;
        };
        PropertyValuePage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["PropertyValueDto"][];
        };
        IngestionWarningDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /** @example cannot_merge_already_identified */
            type: string;
            /** @example The person of the anonymous id is identified already */
            detail: string;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            event_uuid: string | null;
            /** @example ada */
            distinct_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.120Z
             */
            created_at: string;
        };
        IngestionWarningPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["IngestionWarningDto"][];
        };
        RelatedPersonDto: {
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "person";
            /**
             * Format: uuid
             * @description The uuid.
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            id: string;
            /**
             * @description The integer id.
             * @example 41
             */
            person_id: number;
            /**
             * @description The number of events in common.
             * @example 12
             */
            events: number;
        };
        RelatedGroupDto: {
            /** @example 0 */
            group_type_index: number;
            /**
             * @description The key by which events name the group.
             * @example acme
             */
            group_key: string;
            /**
             * @description The property `name`, else the key.
             * @example Acme
             */
            name: string;
            /**
             * @example {
             *       "name": "Acme",
             *       "plan": "pro"
             *     }
             */
            group_properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The time of the first event that named the group.
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "group";
            /**
             * @description The key.
             * @example acme
             */
            id: string;
            /**
             * @description The id for addresses.
             * @example 3
             */
            group_id: number;
            /**
             * @description The number of events in common.
             * @example 12
             */
            events: number;
        };
        PersonDto: {
            /** @example 41 */
            id: number;
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
        };
        PersonPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["PersonDto"][];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        ImportRefusalDto: {
            /**
             * @description The line number, from 1.
             * @example 3
             */
            line: number;
            /** @example invalid_input */
            code: string;
            /** @example timestamp must be an ISO 8601 date */
            detail: string;
        };
        ImportReplyDto: {
            /**
             * @description Person lines accepted.
             * @example 1
             */
            persons: number;
            /**
             * @description Event lines that are new in the log.
             * @example 1
             */
            events: number;
            /**
             * @description Event lines whose uuid was already in the log.
             * @example 0
             */
            duplicates: number;
            /**
             * @description The number of all rejected lines, listed or not.
             * @example 0
             */
            rejected_count: number;
            /**
             * @description Rejected lines with their reasons: the first 10,000 of them.
             * @example []
             */
            rejected: components["schemas"]["ImportRefusalDto"][];
        };
        ImportJobDto: {
            /**
             * @description Person lines accepted.
             * @example 1
             */
            persons: number;
            /**
             * @description Event lines that are new in the log.
             * @example 1
             */
            events: number;
            /**
             * @description Event lines whose uuid was already in the log.
             * @example 0
             */
            duplicates: number;
            /**
             * @description The number of all rejected lines, listed or not.
             * @example 0
             */
            rejected_count: number;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * @example running
             * @enum {string}
             */
            status: "receiving" | "queued" | "running" | "done" | "failed";
            /**
             * @description The lines without blank ones; null while they are not counted.
             * @example 2
             */
            rows: number | null;
            /**
             * @description Those of them that are done: all that the counts tell is stored.
             * @example 2
             */
            rows_read: number;
            /**
             * @description Rejected lines with their reasons: the first 1,000 of them.
             * @example []
             */
            rejected: components["schemas"]["ImportRefusalDto"][];
            /**
             * @description Why the import failed.
             * @example null
             */
            error: string | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            finished_at: string | null;
        };
        RejectedEventsDto: {
            /**
             * @description The code of the rejections. Events of a request that was refused as a whole have the code of its answer, such as `throttled`.
             * @example invalid_input
             */
            reason: string;
            /** @example 3 */
            events: number;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.120Z
             */
            last_at: string;
        };
        LibraryDto: {
            /**
             * @description `$lib` of the first event of a request.
             * @example posthog-node
             */
            name: string;
            /**
             * @description Its `$lib_version`; empty when the event has none.
             * @example 5.70.0
             */
            version: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.120Z
             */
            last_seen_at: string;
        };
        IngestionDto: {
            /**
             * @description Events that clients sent and that were new.
             * @example 120000
             */
            accepted: number;
            /**
             * @description Events whose uuid was already in the log.
             * @example 40
             */
            duplicates: number;
            /**
             * @description Events that were refused.
             * @example 3
             */
            rejected: number;
            /** @description Most frequent first. */
            rejected_by_reason: components["schemas"]["RejectedEventsDto"][];
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.120Z
             */
            last_accepted_at: string | null;
            /** @description The SDKs that sent events, last seen first: at most 100. */
            sdks: components["schemas"]["LibraryDto"][];
        };
        GroupTypeDto: {
            /**
             * @description Given in the order in which types came; it never changes.
             * @example 0
             */
            group_type_index: number;
            /**
             * @description The name by which events name the type.
             * @example company
             */
            group_type: string;
            /** @example Company */
            name_singular: string | null;
            /** @example Companies */
            name_plural: string | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
        };
        GroupPropertyDto: {
            /** @example plan */
            name: string;
            /**
             * @description The number of groups that have the property.
             * @example 12
             */
            count: number;
        };
        GroupPropertyValueDto: {
            /**
             * @description Typed as stored; lists and objects are their JSON text. A text longer than 1,000 characters is cut and ends in `…`.
             * @example pro
             */
            name: string | number | boolean;
            /**
             * @description The number of groups that have the value.
             * @example 12
             */
            count: number;
        };
        GroupPropertyValuePage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["GroupPropertyValueDto"][];
        };
        GroupPropertyChangeDto: {
            /** @example plan */
            key: string;
            /**
             * @description Null: the group had no such property.
             * @example free
             */
            before: (string | null) | number | boolean | unknown[] | {
                [key: string]: unknown;
            };
            /**
             * @description Null: the property was removed.
             * @example pro
             */
            after: (string | null) | number | boolean | unknown[] | {
                [key: string]: unknown;
            };
        };
        GroupChangeDto: {
            /**
             * Format: uuid
             * @description The event.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description Properties change in the order in which events are received.
             * @example 2026-01-02T10:00:00.120Z
             */
            received_at: string;
            changes: components["schemas"]["GroupPropertyChangeDto"][];
        };
        GroupChangePage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["GroupChangeDto"][];
        };
        GroupDto: {
            /**
             * @description For addresses; events name the group by its key.
             * @example 3
             */
            id: number;
            /** @example 0 */
            group_type_index: number;
            /**
             * @description The key by which events name the group.
             * @example acme
             */
            group_key: string;
            /**
             * @description The property `name`, else the key.
             * @example Acme
             */
            name: string;
            /**
             * @example {
             *       "name": "Acme",
             *       "plan": "pro"
             *     }
             */
            group_properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The time of the first event that named the group.
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
        };
        GroupPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["GroupDto"][];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        CreateGroupBody: {
            /**
             * @description The type, which must exist; or `group_type`.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The name of the type, which is made if it is new.
             * @example company
             */
            group_type?: string;
            /**
             * @description The key by which events name it.
             * @example acme
             */
            group_key: string;
            /**
             * @description Its first properties.
             * @example {
             *       "name": "Acme",
             *       "plan": "pro"
             *     }
             */
            group_properties?: {
                [key: string]: unknown;
            };
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `group_type_index`, `group_key`, `created_at`; a value that differs from the record is a 400. The service itself changes `name`: any value is accepted and has no effect. */
        UpdateGroupBody: {
            /**
             * @description Null removes a property; other keys stay unchanged.
             * @example {
             *       "name": "Acme",
             *       "plan": "pro"
             *     }
             */
            group_properties?: {
                [key: string]: unknown;
            };
            /**
             * @description The same under the name that persons have; send one of them.
             * @example {
             *       "name": "Acme",
             *       "plan": "pro"
             *     }
             */
            properties?: {
                [key: string]: unknown;
            };
        };
        ChangedPersonDto: {
            /** @example 41 */
            id: number;
            /**
             * Format: uuid
             * @description Null for a person who was deleted since. Keep the `id` to recognise who left.
             * @example 0199f5a2-6f0e-5c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string | null;
        };
        CohortChangeDto: {
            /**
             * @description Continue after this change by `after`.
             * @example YzoxMjA6MA
             */
            cursor: string;
            /**
             * @example entered
             * @enum {string}
             */
            change: "entered" | "left";
            /**
             * @description Why: `calculated` by the definition or the query, `redefined` by a changed definition, `uploaded`, `added` or `removed` by hand, `merged` into or from another person, `split` off, `deleted`. A `snapshot` lists those who were members when the reader began.
             * @example calculated
             * @enum {string}
             */
            reason: "calculated" | "uploaded" | "added" | "removed" | "merged" | "split" | "deleted" | "redefined" | "snapshot";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            at: string;
            person: components["schemas"]["ChangedPersonDto"];
        };
        CohortChangesDto: {
            results: components["schemas"]["CohortChangeDto"][];
            /**
             * @description Ask for the changes after these by `after`.
             * @example YzoxMjA6MA
             */
            cursor: string;
            /**
             * @description Whether there are more changes already.
             * @example false
             */
            has_more: boolean;
        };
        MembershipBody: {
            /**
             * @description Distinct ids. Send either these or `person_ids`.
             * @example [
             *       "ada"
             *     ]
             */
            distinct_ids?: string[];
            /**
             * @description Ids or uuids of persons.
             * @example [
             *       41
             *     ]
             */
            person_ids?: (number | string)[];
            /**
             * @description Ids of cohorts.
             * @example [
             *       1
             *     ]
             */
            cohorts: number[];
        };
        MembershipDto: {
            /**
             * @description The id as it was sent.
             * @example ada
             */
            given: string | number;
            /**
             * @description The person; for a merged one, the person into which it was merged. Null when there is none.
             * @example 41
             */
            person_id: number | null;
            /**
             * @description Those of the cohorts of which the person is a member, ascending.
             * @example [
             *       1
             *     ]
             */
            cohorts: number[];
        };
        CheckedCohortDto: {
            /** @example 1 */
            id: number;
            /**
             * @description Changes whenever a member enters or leaves: as long as it is the same, earlier answers about this cohort are.
             * @example 1-120
             */
            etag: string;
        };
        MembershipsDto: {
            /** @description One entry for each id, in their order. */
            results: components["schemas"]["MembershipDto"][];
            cohorts: components["schemas"]["CheckedCohortDto"][];
        };
        CalculationErrorDto: {
            /**
             * @description The code, as in an error answer.
             * @example too_expensive
             */
            code: string;
            /**
             * @description The cause, and how to fix it.
             * @example The calculation took too long
             */
            detail: string;
            /**
             * @description The part of the definition that failed.
             * @example null
             */
            attr: string | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            at: string;
        };
        UploadDto: {
            /**
             * @description The rows of the file without its header and blank rows, and the ids of the lists. It is the sum of the other three, once the cohort is filled.
             * @example 4
             */
            rows: number;
            /**
             * @description Rows whose person is a member now. The person may have been a member before.
             * @example 2
             */
            matched: number;
            /**
             * @description Rows that name no person of the project.
             * @example 1
             */
            unknown: number;
            /**
             * @description Rows whose person an earlier row of the upload names, by the same or by another id.
             * @example 1
             */
            duplicates: number;
        };
        CohortDto: {
            /** @example 12 */
            id: number;
            /** @example Power users */
            name: string;
            /** @example  */
            description: string;
            /**
             * @description The definition in its oldest form, if it was created in that form; `filters` is equivalent.
             * @example []
             */
            groups: components["schemas"]["LegacyCohortGroup"][];
            /**
             * @description Deleted cohorts are not listed.
             * @example false
             */
            deleted: boolean;
            /**
             * @example {
             *       "properties": {
             *         "type": "AND",
             *         "values": [
             *           {
             *             "type": "person",
             *             "key": "plan",
             *             "operator": "exact",
             *             "value": [
             *               "pro"
             *             ]
             *           }
             *         ]
             *       }
             *     }
             */
            filters: components["schemas"]["CohortDefinition"] | null;
            /**
             * @description The query of a static cohort, as it was sent; null without one.
             * @example null
             */
            query: (string | components["schemas"]["SqlQuery"] | components["schemas"]["SqlQueryNode"]) | null;
            /**
             * @description Whether a calculation, or the filling of a static cohort, is queued or running.
             * @example false
             */
            is_calculating: boolean;
            /**
             * @description The user of the key that made the cohort.
             * @example null
             */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The moment for which the members were calculated.
             * @example 2026-01-02T10:00:00.000Z
             */
            last_calculation: string | null;
            /**
             * @description Failures since the last success.
             * @example 0
             */
            errors_calculating: number;
            /**
             * @description The number of current members, as the list of members returns them; null before the first calculation, and in the answer to a change while ClickHouse is away.
             * @example 310
             */
            count: number | null;
            /** @example false */
            is_static: boolean;
            /**
             * @description Always empty.
             * @example []
             */
            experiment_set: number[];
            /**
             * @description The version of the current members; it grows with each calculation.
             * @example 3
             */
            version: number | null;
            /**
             * @description The reason why the last calculation failed.
             * @example null
             */
            calculation_error: components["schemas"]["CalculationErrorDto"] | null;
            /**
             * @description What became of the last upload of members to a static cohort, as a file or as lists of ids.
             * @example null
             */
            upload: components["schemas"]["UploadDto"] | null;
        };
        CohortPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["CohortDto"][];
        };
        CreateCohortBody: {
            /** @example Power users */
            name: string;
            /** @example  */
            description?: string | null;
            /**
             * @description The oldest form of a definition; translated to `filters`.
             * @example []
             */
            groups?: components["schemas"]["LegacyCohortGroup"][] | null;
            /**
             * @description The definition of a dynamic cohort: `{"properties": group}` with at least one criterion. `performed_event_multiple` and `performed_event_regularly` without `operator` mean exactly `operator_value` times; the preview and `explain` show how each criterion was read. At most 200 criteria, 50 of them about events, with `total_periods` of 2000 and 500 filters in all of them together. A definition that the engine could not calculate is `too_expensive`.
             * @example {
             *       "properties": {
             *         "type": "AND",
             *         "values": [
             *           {
             *             "type": "person",
             *             "key": "plan",
             *             "operator": "exact",
             *             "value": [
             *               "pro"
             *             ]
             *           }
             *         ]
             *       }
             *     }
             */
            filters?: components["schemas"]["CohortDefinition"] | null;
            /**
             * @description A SELECT that yields the members of a static cohort in a column `person_id` (ids or uuids) or `distinct_id`: as text, as `{"kind":"HogQLQuery","query":"select …","values":{}}`, or such an object as the `source` of a `DataTableNode` or a `DataVisualizationNode`. It runs at once, and again by `recalculate` and by another query; the members are then the selected persons only. Needs the scope `query:read` too. null, in a change, removes the query and keeps the members.
             * @example null
             */
            query?: (string | components["schemas"]["SqlQuery"] | components["schemas"]["SqlQueryNode"]) | null;
            /**
             * @description Whether the members are listed one by one instead of calculated: in `csv`, `person_ids` or `distinct_ids`, or by `query`. An empty list makes a cohort to which persons are added later.
             * @example false
             */
            is_static?: boolean | null;
            /**
             * Format: binary
             * @description The members of a static cohort as a file in a form: one column of distinct ids, or a column named `person_id`, `distinct_id` or `email`. Comma, semicolon or tab separates columns. The text is UTF-8, or UTF-16 with a byte order mark.
             * @example ada
             *     bob
             */
            csv?: string;
            /**
             * @description Members of a static cohort by integer id or uuid; unknown ones are ignored, merged ones get 404 `merged`.
             * @example [
             *       41
             *     ]
             */
            person_ids?: (string | number)[] | null;
            /**
             * @description Members of a static cohort by distinct id; unknown ones are ignored.
             * @example [
             *       "ada"
             *     ]
             */
            distinct_ids?: (string | number)[] | null;
        };
        SavedCohortDto: {
            /** @example 12 */
            id: number;
            /** @example Power users */
            name: string;
            /** @example  */
            description: string;
            /**
             * @description The definition in its oldest form, if it was created in that form; `filters` is equivalent.
             * @example []
             */
            groups: components["schemas"]["LegacyCohortGroup"][];
            /**
             * @description Deleted cohorts are not listed.
             * @example false
             */
            deleted: boolean;
            /**
             * @example {
             *       "properties": {
             *         "type": "AND",
             *         "values": [
             *           {
             *             "type": "person",
             *             "key": "plan",
             *             "operator": "exact",
             *             "value": [
             *               "pro"
             *             ]
             *           }
             *         ]
             *       }
             *     }
             */
            filters: components["schemas"]["CohortDefinition"] | null;
            /**
             * @description The query of a static cohort, as it was sent; null without one.
             * @example null
             */
            query: (string | components["schemas"]["SqlQuery"] | components["schemas"]["SqlQueryNode"]) | null;
            /**
             * @description Whether a calculation, or the filling of a static cohort, is queued or running.
             * @example false
             */
            is_calculating: boolean;
            /**
             * @description The user of the key that made the cohort.
             * @example null
             */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The moment for which the members were calculated.
             * @example 2026-01-02T10:00:00.000Z
             */
            last_calculation: string | null;
            /**
             * @description Failures since the last success.
             * @example 0
             */
            errors_calculating: number;
            /**
             * @description The number of current members, as the list of members returns them; null before the first calculation, and in the answer to a change while ClickHouse is away.
             * @example 310
             */
            count: number | null;
            /** @example false */
            is_static: boolean;
            /**
             * @description Always empty.
             * @example []
             */
            experiment_set: number[];
            /**
             * @description The version of the current members; it grows with each calculation.
             * @example 3
             */
            version: number | null;
            /**
             * @description The reason why the last calculation failed.
             * @example null
             */
            calculation_error: components["schemas"]["CalculationErrorDto"] | null;
            /**
             * @description What became of the last upload of members to a static cohort, as a file or as lists of ids.
             * @example null
             */
            upload: components["schemas"]["UploadDto"] | null;
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        PreviewBody: {
            /**
             * @description The oldest form of a definition; translated to `filters`.
             * @example []
             */
            groups?: components["schemas"]["LegacyCohortGroup"][] | null;
            /**
             * @description The definition of a dynamic cohort: `{"properties": group}` with at least one criterion. `performed_event_multiple` and `performed_event_regularly` without `operator` mean exactly `operator_value` times; the preview and `explain` show how each criterion was read. At most 200 criteria, 50 of them about events, with `total_periods` of 2000 and 500 filters in all of them together. A definition that the engine could not calculate is `too_expensive`.
             * @example {
             *       "properties": {
             *         "type": "AND",
             *         "values": [
             *           {
             *             "type": "person",
             *             "key": "plan",
             *             "operator": "exact",
             *             "value": [
             *               "pro"
             *             ]
             *           }
             *         ]
             *       }
             *     }
             */
            filters?: components["schemas"]["CohortDefinition"] | null;
            /**
             * @description A SELECT that yields the members of a static cohort in a column `person_id` (ids or uuids) or `distinct_id`: as text, as `{"kind":"HogQLQuery","query":"select …","values":{}}`, or such an object as the `source` of a `DataTableNode` or a `DataVisualizationNode`. It runs at once, and again by `recalculate` and by another query; the members are then the selected persons only. Needs the scope `query:read` too. null, in a change, removes the query and keeps the members.
             * @example null
             */
            query?: (string | components["schemas"]["SqlQuery"] | components["schemas"]["SqlQueryNode"]) | null;
            /**
             * @description Has no effect here: the body of a new cohort can be previewed as it is.
             * @example Power users
             */
            name?: string | null;
            /**
             * @description Has no effect here: the body of a new cohort can be previewed as it is.
             * @example
             */
            description?: string | null;
        };
        ReadCriterionDto: {
            /**
             * @description The path of the criterion in the definition.
             * @example filters.properties.values.0
             */
            path: string;
            /**
             * @example person
             * @enum {string}
             */
            type: "person" | "cohort" | "group" | "behavioral";
            /**
             * @description The property, the event, or the id of the cohort or action.
             * @example plan
             */
            key: string;
            /**
             * @description The operator, or the behavioural criterion.
             * @example exact
             */
            criterion: string;
            /** @example false */
            negated: boolean;
            /**
             * @description How the number of events is compared with `operator_value`, by performed_event_multiple and performed_event_regularly: `eq`, exactly, where the definition has no operator. null for other criteria.
             * @example null
             * @enum {string|null}
             */
            operator: "eq" | "exact" | "gt" | "gte" | "lt" | "lte" | null;
            /**
             * @description null for criteria without `operator`.
             * @example null
             */
            operator_value: number | null;
        };
        PreviewDto: {
            /**
             * @description The number of members that the cohort would have.
             * @example 310
             */
            count: number;
            /** @description Ten of the members, the smallest ids first. */
            results: components["schemas"]["PersonDto"][];
            /** @description The criteria as they were read, in the order of the definition; none for a query. */
            criteria: components["schemas"]["ReadCriterionDto"][];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `created_by`, `created_at`, `experiment_set`; a value that differs from the record is a 400. The service itself changes `is_calculating`, `last_calculation`, `errors_calculating`, `count`, `version`, `calculation_error`, `upload`, `warnings`: any value is accepted and has no effect. */
        UpdateCohortBody: {
            /** @example  */
            description?: string | null;
            /**
             * @description The oldest form of a definition; translated to `filters`.
             * @example []
             */
            groups?: components["schemas"]["LegacyCohortGroup"][] | null;
            /**
             * @description The definition of a dynamic cohort: `{"properties": group}` with at least one criterion. `performed_event_multiple` and `performed_event_regularly` without `operator` mean exactly `operator_value` times; the preview and `explain` show how each criterion was read. At most 200 criteria, 50 of them about events, with `total_periods` of 2000 and 500 filters in all of them together. A definition that the engine could not calculate is `too_expensive`.
             * @example {
             *       "properties": {
             *         "type": "AND",
             *         "values": [
             *           {
             *             "type": "person",
             *             "key": "plan",
             *             "operator": "exact",
             *             "value": [
             *               "pro"
             *             ]
             *           }
             *         ]
             *       }
             *     }
             */
            filters?: components["schemas"]["CohortDefinition"] | null;
            /**
             * @description A SELECT that yields the members of a static cohort in a column `person_id` (ids or uuids) or `distinct_id`: as text, as `{"kind":"HogQLQuery","query":"select …","values":{}}`, or such an object as the `source` of a `DataTableNode` or a `DataVisualizationNode`. It runs at once, and again by `recalculate` and by another query; the members are then the selected persons only. Needs the scope `query:read` too. null, in a change, removes the query and keeps the members.
             * @example null
             */
            query?: (string | components["schemas"]["SqlQuery"] | components["schemas"]["SqlQueryNode"]) | null;
            /**
             * @description Whether the members are listed one by one instead of calculated: in `csv`, `person_ids` or `distinct_ids`, or by `query`. An empty list makes a cohort to which persons are added later.
             * @example false
             */
            is_static?: boolean | null;
            /**
             * Format: binary
             * @description The members of a static cohort as a file in a form: one column of distinct ids, or a column named `person_id`, `distinct_id` or `email`. Comma, semicolon or tab separates columns. The text is UTF-8, or UTF-16 with a byte order mark.
             * @example ada
             *     bob
             */
            csv?: string;
            /**
             * @description Members of a static cohort by integer id or uuid; unknown ones are ignored, merged ones get 404 `merged`.
             * @example [
             *       41
             *     ]
             */
            person_ids?: (string | number)[] | null;
            /**
             * @description Members of a static cohort by distinct id; unknown ones are ignored.
             * @example [
             *       "ada"
             *     ]
             */
            distinct_ids?: (string | number)[] | null;
            /** @example Power users */
            name?: string | null;
            /**
             * @description true hides the cohort, false restores it.
             * @example false
             */
            deleted?: boolean | null;
        };
        RecalculatedCohortDto: {
            /** @example 12 */
            id: number;
            /** @example Power users */
            name: string;
            /** @example  */
            description: string;
            /**
             * @description The definition in its oldest form, if it was created in that form; `filters` is equivalent.
             * @example []
             */
            groups: components["schemas"]["LegacyCohortGroup"][];
            /**
             * @description Deleted cohorts are not listed.
             * @example false
             */
            deleted: boolean;
            /**
             * @example {
             *       "properties": {
             *         "type": "AND",
             *         "values": [
             *           {
             *             "type": "person",
             *             "key": "plan",
             *             "operator": "exact",
             *             "value": [
             *               "pro"
             *             ]
             *           }
             *         ]
             *       }
             *     }
             */
            filters: components["schemas"]["CohortDefinition"] | null;
            /**
             * @description The query of a static cohort, as it was sent; null without one.
             * @example null
             */
            query: (string | components["schemas"]["SqlQuery"] | components["schemas"]["SqlQueryNode"]) | null;
            /**
             * @description Whether a calculation, or the filling of a static cohort, is queued or running.
             * @example false
             */
            is_calculating: boolean;
            /**
             * @description The user of the key that made the cohort.
             * @example null
             */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The moment for which the members were calculated.
             * @example 2026-01-02T10:00:00.000Z
             */
            last_calculation: string | null;
            /**
             * @description Failures since the last success.
             * @example 0
             */
            errors_calculating: number;
            /**
             * @description The number of current members, as the list of members returns them; null before the first calculation, and in the answer to a change while ClickHouse is away.
             * @example 310
             */
            count: number | null;
            /** @example false */
            is_static: boolean;
            /**
             * @description Always empty.
             * @example []
             */
            experiment_set: number[];
            /**
             * @description The version of the current members; it grows with each calculation.
             * @example 3
             */
            version: number | null;
            /**
             * @description The reason why the last calculation failed.
             * @example null
             */
            calculation_error: components["schemas"]["CalculationErrorDto"] | null;
            /**
             * @description What became of the last upload of members to a static cohort, as a file or as lists of ids.
             * @example null
             */
            upload: components["schemas"]["UploadDto"] | null;
            /**
             * @description The persons that the new run of the query of a static cohort made members; null for other cohorts, and while `is_calculating`.
             * @example null
             */
            members_came: number | null;
            /**
             * @description The members that the new run no longer selected, and which it removed.
             * @example null
             */
            members_went: number | null;
        };
        CohortDayDto: {
            /**
             * Format: date
             * @example 2026-01-31
             */
            date: string;
            /**
             * @description The members at the end of the day, of today those of now.
             * @example 120
             */
            size: number;
            /**
             * @description How often persons entered on the day.
             * @example 7
             */
            entered: number;
            /**
             * @description How often persons left on the day.
             * @example 2
             */
            left: number;
        };
        CohortHistoryDto: {
            /** @description Day by day, since members are known. */
            results: components["schemas"]["CohortDayDto"][];
            /**
             * @description The time zone of the days: that of the project.
             * @example UTC
             */
            timezone: string;
            /**
             * Format: date-time
             * @description Members are known since then.
             * @example 2026-01-01T09:00:00.000Z
             */
            known_from: string;
        };
        CriterionDto: {
            /**
             * @description The path of the criterion in the definition.
             * @example filters.properties.values.0
             */
            path: string;
            /**
             * @example person
             * @enum {string}
             */
            type: "person" | "cohort" | "group" | "behavioral";
            /**
             * @description The property, the event, or the id of the cohort or action.
             * @example plan
             */
            key: string;
            /**
             * @description The operator, or the behavioural criterion.
             * @example exact
             */
            criterion: string;
            /** @example false */
            negated: boolean;
            /**
             * @description How the number of events is compared with `operator_value`, by performed_event_multiple and performed_event_regularly: `eq`, exactly, where the definition has no operator. null for other criteria.
             * @example null
             * @enum {string|null}
             */
            operator: "eq" | "exact" | "gt" | "gte" | "lt" | "lte" | null;
            /**
             * @description null for criteria without `operator`.
             * @example null
             */
            operator_value: number | null;
            /**
             * @description Whether the criterion holds for the person, its negation included.
             * @example true
             */
            held: boolean;
            /**
             * @description The value of the property (null where there is none), whether the person is in the cohort, or the count of its events.
             * @example pro
             */
            seen: (string | null) | number | boolean | unknown[] | {
                [key: string]: unknown;
            };
        };
        ExplanationDto: {
            /**
             * @description Whether the person is listed as a member now.
             * @example true
             */
            member: boolean;
            /**
             * @description Whether a calculation at this moment would make the person a member.
             * @example true
             */
            holds: boolean;
            /** @description In the order of the definition; none for a static cohort. */
            criteria: components["schemas"]["CriterionDto"][];
        };
        UnmatchedDto: {
            /**
             * @description The field of the upload: `csv`, or the path in a list.
             * @example csv
             */
            attr: string;
            /**
             * @description The line of the file on which the row begins, counted from 1; null in a list.
             * @example 4
             */
            line: number | null;
            /**
             * @description At most 200 characters of the value.
             * @example ghost
             */
            value: string;
        };
        UploadReportDto: {
            /**
             * @description The rows of the file without its header and blank rows, and the ids of the lists. It is the sum of the other three, once the cohort is filled.
             * @example 4
             */
            rows: number;
            /**
             * @description Rows whose person is a member now. The person may have been a member before.
             * @example 2
             */
            matched: number;
            /**
             * @description Rows that name no person of the project.
             * @example 1
             */
            unknown: number;
            /**
             * @description Rows whose person an earlier row of the upload names, by the same or by another id.
             * @example 1
             */
            duplicates: number;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            uploaded_at: string;
            /** @description The first 1000 rows that name no person, in the order of the upload. They are kept until the next upload, and for at most 90 days. */
            unmatched: components["schemas"]["UnmatchedDto"][];
        };
        AddPersonsBody: {
            /**
             * @description Integer ids or uuids; existing members stay members, merged persons get 404 `merged`.
             * @example [
             *       41
             *     ]
             */
            person_ids?: (string | number)[] | null;
            /**
             * @description Distinct ids.
             * @example [
             *       "ada"
             *     ]
             */
            distinct_ids?: (string | number)[] | null;
        };
        DoneDto: {
            /** @example true */
            success: boolean;
        };
        RemovePersonBody: {
            /**
             * @description The integer id or the uuid of the person.
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            person_id: string | number;
        };
        DeliveryDto: {
            /**
             * Format: uuid
             * @description The `webhook-id` of the message, the same at each attempt: receivers recognise by it what they have.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * @example cohort.changed
             * @enum {string}
             */
            type: "cohort.changed" | "alert.fired" | "alert.resolved" | "deletion.finished" | "import.finished" | "quota.near" | "webhook.test";
            /**
             * @description Null for a test and for a notice.
             * @example 3
             */
            cohort_id: number | null;
            /**
             * @description The number of changes in the message.
             * @example 12
             */
            changes: number;
            /**
             * @description After the changes of the message, for `GET cohorts/{id}/changes?after=`. Null for a test and for a notice.
             * @example YzoxMjA6MA
             */
            cursor: string | null;
            /**
             * @description `waiting`: the receiver has not accepted it yet, and it is tried again. `delivered`: answered with a status from 200 to 299. `failed`: a test that was not accepted. `dropped`: no longer sent, because the webhook no longer names the cohort or the event.
             * @example delivered
             * @enum {string}
             */
            status: "waiting" | "delivered" | "failed" | "dropped";
            /** @example 1 */
            attempts: number;
            /**
             * @description The status of the last answer; null if there was none.
             * @example 200
             */
            response_status: number | null;
            /**
             * @description What was wrong with the last attempt. Nothing of the answer is kept but its status.
             * @example null
             */
            error: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.100Z
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description The next attempt of a waiting delivery; null while the webhook is paused.
             * @example null
             */
            next_attempt_at: string | null;
        };
        DeliveryPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["DeliveryDto"][];
        };
        WebhookDto: {
            /** @example 4 */
            id: number;
            /** @example https://crm.example.test/kohort */
            url: string;
            /**
             * @description The secret that signs messages, in the answer to the creation only.
             * @example null
             */
            secret: string | null;
            /**
             * @example [
             *       3
             *     ]
             */
            cohorts: number[] | "*";
            /**
             * @example [
             *       "entered",
             *       "left"
             *     ]
             */
            kinds: ("entered" | "left")[];
            /**
             * @example [
             *       "cohort.changed"
             *     ]
             */
            events: ("cohort.changed" | "alert.fired" | "alert.resolved" | "deletion.finished" | "import.finished" | "quota.near")[];
            /** @example 100 */
            batch_size: number;
            /** @example false */
            paused: boolean;
            /**
             * Format: date-time
             * @example null
             */
            paused_at: string | null;
            /**
             * @description Why the service has paused the webhook; null if a user has.
             * @example null
             */
            paused_reason: string | null;
            /**
             * Format: date-time
             * @description The first failure of the oldest message that the receiver has not accepted yet.
             * @example null
             */
            failing_since: string | null;
            /** @example null */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description True only in the answer to the request that deletes the record.
             * @example false
             */
            deleted: boolean;
        };
        WebhookPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["WebhookDto"][];
        };
        CreateWebhookBody: {
            /**
             * @description Where messages are sent, by POST. Addresses that are not public are refused unless the installation allows them.
             * @example https://crm.example.test/kohort
             */
            url: string;
            /**
             * @description The cohorts whose changes are sent, at most 1000; `*`, the default, for all, also those that are made later. Default: `"*"`.
             * @example [
             *       3
             *     ]
             */
            cohorts?: number[] | "*";
            /**
             * @description Which changes are sent. Default: `["entered","left"]`.
             * @example [
             *       "entered",
             *       "left"
             *     ]
             */
            kinds?: ("entered" | "left")[];
            /**
             * @description What is sent: changes of `cohorts`, by default, and notices of the project. Default: `["cohort.changed"]`.
             * @example [
             *       "cohort.changed",
             *       "alert.fired",
             *       "alert.resolved"
             *     ]
             */
            events?: ("cohort.changed" | "alert.fired" | "alert.resolved" | "deletion.finished" | "import.finished" | "quota.near")[];
            /**
             * @description The largest number of changes in one message. Default: `100`.
             * @example 100
             */
            batch_size?: number;
            /**
             * @description A paused webhook sends nothing. When it is resumed, it sends what has changed meanwhile. Default: `false`.
             * @example false
             */
            paused?: boolean;
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `secret`, `created_by`, `created_at`; a value that differs from the record is a 400. The service itself changes `paused_at`, `paused_reason`, `failing_since`: any value is accepted and has no effect. */
        UpdateWebhookBody: {
            /**
             * @description Where messages are sent, by POST. Addresses that are not public are refused unless the installation allows them.
             * @example https://crm.example.test/kohort
             */
            url?: string;
            /**
             * @description The cohorts whose changes are sent, at most 1000; `*`, the default, for all, also those that are made later. Default: `"*"`.
             * @example [
             *       3
             *     ]
             */
            cohorts?: number[] | "*";
            /**
             * @description Which changes are sent. Default: `["entered","left"]`.
             * @example [
             *       "entered",
             *       "left"
             *     ]
             */
            kinds?: ("entered" | "left")[];
            /**
             * @description What is sent: changes of `cohorts`, by default, and notices of the project. Default: `["cohort.changed"]`.
             * @example [
             *       "cohort.changed",
             *       "alert.fired",
             *       "alert.resolved"
             *     ]
             */
            events?: ("cohort.changed" | "alert.fired" | "alert.resolved" | "deletion.finished" | "import.finished" | "quota.near")[];
            /**
             * @description The largest number of changes in one message. Default: `100`.
             * @example 100
             */
            batch_size?: number;
            /**
             * @description A paused webhook sends nothing. When it is resumed, it sends what has changed meanwhile. Default: `false`.
             * @example false
             */
            paused?: boolean;
            /**
             * @description `true` deletes the record, as DELETE does; the other fields then have no effect.
             * @example false
             */
            deleted?: boolean | null;
        };
        ProjectCostDto: {
            /** @example 1 */
            project_id: number;
            /** @example Shop */
            project_name: string;
            /**
             * @description A question is one statement or several.
             * @example 1200
             */
            statements: number;
            /**
             * @description For so long statements kept a processor of ClickHouse busy. One that ended within a second counts its time.
             * @example 61.5
             */
            cpu_seconds: number;
            /** @example 250000000 */
            read_rows: number;
            /** @example 12000000000 */
            read_bytes: number;
        };
        ProjectCostPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ProjectCostDto"][];
        };
        QuotaDto: {
            /**
             * @description Null: any number.
             * @example 1000000
             */
            limit: number | null;
            /** @example 850000 */
            used: number;
            /**
             * Format: date-time
             * @description When `used` begins again at 0; null: it does not.
             * @example 2026-01-03T00:00:00.000Z
             */
            resets_at: string | null;
            /**
             * @description At least 80 % of the limit are used.
             * @example true
             */
            is_nearly_used: boolean;
        };
        ProjectQuotasDto: {
            /** @description Events that capture and imports stored today, in UTC, each once. */
            events_per_day: components["schemas"]["QuotaDto"];
            /** @description Cohorts that are not deleted. */
            cohorts: components["schemas"]["QuotaDto"];
            /** @description Members, whatever their role. Owners of the installation need not be members. */
            members: components["schemas"]["QuotaDto"];
        };
        FunnelStepDto: {
            /** @example 1 */
            order: number;
            /**
             * @description In an unordered funnel: `Completed 2 steps`.
             * @example signed up
             */
            name: string;
            /**
             * @description True if persons may skip the step.
             * @example false
             */
            optional: boolean;
            /**
             * @description Persons who reached this step; if they may skip it, those who took it.
             * @example 40
             */
            count: number;
            /**
             * @description Share of the persons who took the first step, 0 to 1.
             * @example 0.4
             */
            conversion_rate: number;
            /**
             * @description Share of the persons who took the step before that none may skip, 0 to 1.
             * @example 0.5
             */
            conversion_rate_from_previous: number;
            /**
             * @description Seconds since the step before that none may skip; null for a step that persons may skip.
             * @example 3600
             */
            average_conversion_time: number | null;
            /**
             * @description Seconds since the step before.
             * @example 1800
             */
            median_conversion_time: number | null;
        };
        FunnelDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "funnel";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /** @description Viz type steps, without a breakdown. */
            steps: components["schemas"]["FunnelStepDto"][];
        };
        FunnelBreakdownDto: {
            /**
             * @description One text, or a list for several properties. `""` is a missing value, `Other` all values beyond the limit.
             * @example Chrome
             */
            value: string | string[];
            steps: components["schemas"]["FunnelStepDto"][];
        };
        FunnelByValueDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "funnel";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /** @description Viz type steps, with a breakdown. */
            breakdown: components["schemas"]["FunnelBreakdownDto"][];
        };
        FunnelBinDto: {
            /**
             * @description Seconds, inclusive.
             * @example 0
             */
            from: number;
            /**
             * @description Seconds, exclusive; inclusive in the last bin.
             * @example 3600
             */
            to: number;
            /** @example 4 */
            count: number;
        };
        FunnelTimesDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "funnel";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /** @description Viz type time_to_convert. */
            bins: components["schemas"]["FunnelBinDto"][];
            /**
             * @description Seconds.
             * @example 1800
             */
            average_conversion_time: number | null;
        };
        FunnelTrendDto: {
            /**
             * @description One text, or a list for several properties. `""` is a missing value, `Other` all values beyond the limit.
             * @example Chrome
             */
            breakdown_value?: string | string[];
            /**
             * @description Intervals in which persons entered.
             * @example [
             *       "2024-03-01"
             *     ]
             */
            days: string[];
            /**
             * @description Percentage of persons who converted.
             * @example [
             *       33.3
             *     ]
             */
            data: number[];
            /**
             * @description Persons who took `funnel_from_step`.
             * @example [
             *       9
             *     ]
             */
            reached_from: number[];
            /**
             * @description Those of them who took `funnel_to_step`.
             * @example [
             *       3
             *     ]
             */
            reached_to: number[];
        };
        FunnelTrendsDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "funnel";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /** @description Viz type trends. */
            series: components["schemas"]["FunnelTrendDto"][];
        };
        InsightPersonDto: {
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
            /**
             * @description Negative for an actor that has only a distinct id and no person profile.
             * @example 41
             */
            id: number;
            /**
             * @description Trends: the contribution of the person to the point.
             * @example 3
             */
            value_at_data_point?: number;
            /**
             * @description Retention: 1 for each interval the person was active in.
             * @example [
             *       1,
             *       0,
             *       1
             *     ]
             */
            appearances?: number[];
            /**
             * @description Only groups have it, and the three fields after it.
             * @enum {string}
             */
            type?: "group";
            /** @example 0 */
            group_type_index?: number;
            /** @example acme */
            group_key?: string;
            /**
             * @example {
             *       "name": "Acme",
             *       "plan": "pro"
             *     }
             */
            group_properties?: {
                [key: string]: unknown;
            };
        };
        FunnelPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count?: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next?: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous?: string | null;
            results?: components["schemas"]["InsightPersonDto"][];
            /** @description The numbers of the insight. */
            insight?: components["schemas"]["FunnelDto"] | components["schemas"]["FunnelByValueDto"] | components["schemas"]["FunnelTimesDto"] | components["schemas"]["FunnelTrendsDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        CorrelationRowDto: {
            /**
             * @description Null for properties of persons.
             * @example activated
             */
            event: string | null;
            /** @example null */
            property: string | null;
            /**
             * @description `""`: the property is missing.
             * @example null
             */
            value: string | null;
            /**
             * @description Number among the persons who converted.
             * @example 5
             */
            success_count: number;
            /**
             * @description Number among the persons who did not convert.
             * @example 1
             */
            failure_count: number;
            /**
             * @description Above 1: more frequent among the persons who converted.
             * @example 4.2
             */
            odds_ratio: number;
            /**
             * @example success
             * @enum {string}
             */
            correlation_type: "success" | "failure";
        };
        CorrelationDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "correlation";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /** @description Success, strongest first; then failure, strongest first. */
            correlations: components["schemas"]["CorrelationRowDto"][];
            /**
             * @description Persons who took all steps.
             * @example 20
             */
            success_total: number;
            /**
             * @description Persons who took the first step, but not all steps.
             * @example 30
             */
            failure_total: number;
            /**
             * @description There is no result, because one side has no persons.
             * @example false
             */
            skewed: boolean;
        };
        CorrelationPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count?: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next?: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous?: string | null;
            results?: components["schemas"]["InsightPersonDto"][];
            /** @description The numbers of the insight. */
            insight?: components["schemas"]["CorrelationDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        LifecycleDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "lifecycle";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /**
             * @example [
             *       "2026-01-01",
             *       "2026-01-02"
             *     ]
             */
            days: string[];
            /**
             * @description Active at the point in which they were created.
             * @example [
             *       1,
             *       0
             *     ]
             */
            new: number[];
            /**
             * @description Active here and at the point before.
             * @example [
             *       4,
             *       3
             *     ]
             */
            returning: number[];
            /**
             * @description Active again, but not at the point before.
             * @example [
             *       0,
             *       1
             *     ]
             */
            resurrecting: number[];
            /**
             * @description As negative numbers: active at the point before, but not at this one.
             * @example [
             *       -2,
             *       -1
             *     ]
             */
            dormant: number[];
        };
        LifecyclePage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count?: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next?: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous?: string | null;
            results?: components["schemas"]["InsightPersonDto"][];
            /** @description The numbers of the insight. */
            insight?: components["schemas"]["LifecycleDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        PathEdgeDto: {
            /**
             * @description The step of the path and the item.
             * @example 1_/
             */
            source: string;
            /** @example 2_/pricing */
            target: string;
            /**
             * @description Walks from the source to the target: a person who goes the same way in two sessions counts twice.
             * @example 3
             */
            value: number;
            /**
             * @description Persons who went from the source to the target: the `count` of the list behind the edge.
             * @example 2
             */
            persons: number;
            /**
             * @description Milliseconds from the source to the target, averaged over the walks.
             * @example 60000
             */
            average_conversion_time: number;
        };
        PathDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "path";
            /** @description Sorted by value descending, source, target. */
            edges: components["schemas"]["PathEdgeDto"][];
        };
        PathPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count?: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next?: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous?: string | null;
            results?: components["schemas"]["InsightPersonDto"][];
            /** @description The numbers of the insight. */
            insight?: components["schemas"]["PathDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        RetentionDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "retention";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description `retention_custom_brackets` of the question.
             * @example null
             */
            brackets: number[] | null;
            /**
             * @description Of the cells of the longest row; with brackets such as `Day 2-4`.
             * @example [
             *       "Day 0",
             *       "Day 1"
             *     ]
             */
            labels: string[];
            /**
             * @description The first day of each interval.
             * @example [
             *       "2026-01-01",
             *       "2026-01-02"
             *     ]
             */
            dates: string[];
            /**
             * @description Row i: the persons who began in interval i, then how many of them came back in each later interval or bracket.
             * @example [
             *       [
             *         10,
             *         4
             *       ],
             *       [
             *         8
             *       ]
             *     ]
             */
            matrix: number[][];
            /**
             * @description The same numbers as shares of the first cell of the row.
             * @example [
             *       [
             *         1,
             *         0.4
             *       ],
             *       [
             *         1
             *       ]
             *     ]
             */
            rates: number[][];
            /**
             * @description For each label, the mean of the rates of the rows that are long enough; rows that no person began do not count. Null with `mean_retention_calculation` none.
             * @example [
             *       1,
             *       0.4
             *     ]
             */
            mean: number[] | null;
        };
        RetentionPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count?: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next?: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous?: string | null;
            results?: components["schemas"]["InsightPersonDto"][];
            /** @description The numbers of the insight. */
            insight?: components["schemas"]["RetentionDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        StickinessSeriesDto: {
            /** @example signed up */
            label: string;
            /** @example 0 */
            order: number;
            /**
             * @description With `compare`: current or previous.
             * @example current
             */
            compare_label?: string;
            /**
             * @description Numbers of intervals, or of groups of `interval_count` intervals.
             * @example [
             *       1,
             *       2,
             *       3
             *     ]
             */
            days: number[];
            /**
             * @description Persons active in exactly that many intervals.
             * @example [
             *       2,
             *       1,
             *       1
             *     ]
             */
            data: number[];
            /**
             * @description Persons active in at least one interval.
             * @example 4
             */
            count: number;
        };
        StickinessDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "stickiness";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            /** @example 1 */
            interval_count: number;
            series: components["schemas"]["StickinessSeriesDto"][];
        };
        StickinessPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count?: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next?: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous?: string | null;
            results?: components["schemas"]["InsightPersonDto"][];
            /** @description The numbers of the insight. */
            insight?: components["schemas"]["StickinessDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        TrendsSeriesDto: {
            /** @example signed up */
            label: string;
            /**
             * @description The order of the entity; 0 for a formula.
             * @example 0
             */
            order: number;
            /**
             * @description One text, a list for several properties; of a cohort its id or `all`, of a bin its bounds. `""` is a missing value, `Other` all other values.
             * @example Chrome
             */
            breakdown_value: (string | null) | string[];
            /**
             * @description With `compare`: current or previous.
             * @example null
             */
            compare_label: string | null;
            /**
             * @description The sum of the data; the last value of a running sum; the single value itself. With `formula`: the formula of the counts of its series, so that a ratio of sums is shown and never a sum of ratios.
             * @example 7.5
             */
            count: number;
            /**
             * @description The first day of each point; by the hour and minute its time, with the offset where clocks are put back and show it twice.
             * @example [
             *       "2026-01-01",
             *       "2026-01-02"
             *     ]
             */
            days: string[];
            /**
             * @description A number for each point.
             * @example [
             *       3,
             *       4.5
             *     ]
             */
            data: number[];
            /**
             * @description Null, because there are points.
             * @example null
             * @enum {number|null}
             */
            aggregated_value: null;
        };
        TrendsDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "trends";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            series: components["schemas"]["TrendsSeriesDto"][];
        };
        TrendsTotalDto: {
            /** @example signed up */
            label: string;
            /**
             * @description The order of the entity; 0 for a formula.
             * @example 0
             */
            order: number;
            /**
             * @description One text, a list for several properties; of a cohort its id or `all`, of a bin its bounds. `""` is a missing value, `Other` all other values.
             * @example Chrome
             */
            breakdown_value: (string | null) | string[];
            /**
             * @description With `compare`: current or previous.
             * @example null
             */
            compare_label: string | null;
            /**
             * @description The sum of the data; the last value of a running sum; the single value itself. With `formula`: the formula of the counts of its series, so that a ratio of sums is shown and never a sum of ratios.
             * @example 7.5
             */
            count: number;
            /**
             * @description The single value.
             * @example 7.5
             */
            aggregated_value: number;
        };
        TrendsTotalsDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
            /** @example UTC */
            timezone: string;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /** @enum {string} */
            kind: "trends";
            /**
             * @example day
             * @enum {string}
             */
            interval: "minute" | "hour" | "day" | "week" | "month";
            series: components["schemas"]["TrendsTotalDto"][];
        };
        TrendsPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count?: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next?: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous?: string | null;
            results?: components["schemas"]["InsightPersonDto"][];
            /** @description The numbers of the insight. */
            insight?: components["schemas"]["TrendsDto"] | components["schemas"]["TrendsTotalsDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        LiveMinuteDto: {
            /**
             * Format: date-time
             * @description The beginning of the minute.
             * @example 2026-01-02T10:00:00.000Z
             */
            minute: string;
            /** @example 42 */
            count: number;
        };
        LiveEventCountDto: {
            /** @example signed up */
            event: string;
            /** @example 12 */
            count: number;
        };
        LivePersonDto: {
            /** @example 41 */
            id: number;
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description The first of the distinct ids.
             * @example ada
             */
            distinct_id: string;
        };
        LastSeenDto: {
            /** @description A person, or a profile-less actor, whose id is negative. */
            person: components["schemas"]["LivePersonDto"];
            /**
             * @description The name of the last event.
             * @example $pageview
             */
            last_event: string;
            /**
             * Format: date-time
             * @description The time of the last event.
             * @example 2026-01-02T10:00:00.000Z
             */
            last_seen_at: string;
        };
        ActivePersonsDto: {
            /**
             * @description The persons with an event in the last five minutes, profile-less actors included.
             * @example 7
             */
            active_last_5_minutes: number;
            /** @description The last twenty of them, the latest first. */
            latest: components["schemas"]["LastSeenDto"][];
        };
        LiveSummaryDto: {
            /** @description The last thirty minutes, of which the present one is the last; by the times of events. */
            minutes: components["schemas"]["LiveMinuteDto"][];
            /** @description The ten most frequent events of these minutes. */
            top_events: components["schemas"]["LiveEventCountDto"][];
            persons: components["schemas"]["ActivePersonsDto"];
            /**
             * Format: date-time
             * @description The time up to which the answer is complete.
             * @example 2026-01-02T10:00:00.000Z
             */
            as_of: string;
        };
        SchemaColumnDto: {
            /** @example person.created_at */
            name: string;
            /** @example DateTime64(3) */
            type: string;
            /** @example When the person was first seen */
            description: string;
        };
        SchemaTableDto: {
            /** @example events */
            name: string;
            /** @example Everything that happened */
            description: string;
            columns: components["schemas"]["SchemaColumnDto"][];
        };
        SchemaPropertyDto: {
            /** @example $current_url */
            name: string;
            /**
             * @example [
             *       "text"
             *     ]
             */
            types: ("text" | "number" | "boolean")[];
            /**
             * @description Events or persons that have it.
             * @example 120
             */
            count: number;
        };
        SchemaPropertiesDto: {
            /** @description The 1,000 most frequent properties of events. */
            event: components["schemas"]["SchemaPropertyDto"][];
            /** @description The 1,000 most frequent properties of persons. */
            person: components["schemas"]["SchemaPropertyDto"][];
        };
        SchemaFunctionDto: {
            /** @example quantile */
            name: string;
            /**
             * @example aggregate
             * @enum {string}
             */
            kind: "scalar" | "aggregate" | "window";
            /** @example Computes an approximate quantile of a numeric data sequence. */
            description: string;
        };
        QuerySchemaDto: {
            tables: components["schemas"]["SchemaTableDto"][];
            properties: components["schemas"]["SchemaPropertiesDto"];
            functions: components["schemas"]["SchemaFunctionDto"][];
            /**
             * Format: date-time
             * @example 2026-01-08T12:00:00.000Z
             */
            as_of: string;
        };
        QueryAnswerDto: {
            /**
             * @description The names of the columns.
             * @example [
             *       "event",
             *       "count()"
             *     ]
             */
            columns: string[];
            /**
             * @description The name and the type of each column.
             * @example [
             *       [
             *         "event",
             *         "String"
             *       ],
             *       [
             *         "count()",
             *         "UInt64"
             *       ]
             *     ]
             */
            types: string[][];
            /**
             * @description The rows, with a value for each column. Moments are ISO 8601 in UTC.
             * @example [
             *       [
             *         "$pageview",
             *         120
             *       ]
             *     ]
             */
            results: unknown[][];
            /**
             * @description True if there are rows after these.
             * @example false
             */
            hasMore: boolean;
            /** @example 100 */
            limit: number;
            /** @example 0 */
            offset: number;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T12:00:00.000Z
             */
            as_of: string;
            /** @example 12 */
            elapsed_ms: number;
            /**
             * @description Rows that the engine has read.
             * @example 4096
             */
            rows_read: number;
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        ExplainedDto: {
            /**
             * @description The statement as the engine gets it; its values are in `parameters`.
             * @example SELECT …
             */
            statement: string;
            /**
             * @description The bound values of the statement.
             * @example {
             *       "p1": "signed up"
             *     }
             */
            parameters: {
                [key: string]: unknown;
            };
            /**
             * @description The names of the columns of the answer.
             * @example [
             *       "count()"
             *     ]
             */
            columns: string[];
            /**
             * @description Rows that the engine would read at most.
             * @example 8192
             */
            rows: number;
            /**
             * @description About how many bytes these rows take where they are stored.
             * @example 262144
             */
            bytes: number;
        };
        NodeRangeDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-08T23:59:59.999Z
             */
            date_to: string;
        };
        NodeTimingDto: {
            /**
             * @description What took the time.
             * @example total
             */
            k: string;
            /**
             * @description Seconds.
             * @example 0.042
             */
            t: number;
        };
        NodeStatusDto: {
            /**
             * @description `client_query_id`, or else the id of the request.
             * @example a7f3
             */
            id: string;
            /**
             * @description The id of the project.
             * @example 1
             */
            team_id: number;
            /**
             * @description Always false: every answer comes at once.
             * @example false
             */
            query_async: boolean;
            /** @example true */
            complete: boolean;
            /** @example false */
            error: boolean;
            /** @example null */
            error_message: string | null;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            start_time: string;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.042Z
             */
            end_time: string;
        };
        NodeAnswerDto: {
            /**
             * @description In the form of the reference product: series, steps, rows, edges or persons.
             * @example [
             *       {
             *         "label": "signed up",
             *         "days": [
             *           "2026-01-08"
             *         ],
             *         "data": [
             *           3
             *         ],
             *         "count": 3
             *       }
             *     ]
             */
            results: unknown[] | {
                [key: string]: unknown;
            };
            /** @description Lists: the columns, as the node names them. */
            columns?: string[];
            /** @description EventsQuery: the type of each column. */
            types?: string[];
            /**
             * @description True if there is more: rows, or values of a breakdown.
             * @example false
             */
            hasMore?: boolean;
            /** @example 100 */
            limit?: number;
            /** @example 0 */
            offset?: number;
            /**
             * @description EventsQuery: the question in SQL; null if filters or dates are part of it.
             * @example null
             */
            hogql?: string | null;
            /**
             * @description RetentionQuery: the mean of the rates, as `persons/retention` has it.
             * @example [
             *       1,
             *       0.4
             *     ]
             */
            mean?: number[] | null;
            /** @description Insights: the time range of the question. */
            resolved_date_range?: components["schemas"]["NodeRangeDto"];
            /** @example UTC */
            timezone: string;
            /**
             * @description Always false: the answer was computed for this request.
             * @example false
             */
            is_cached: boolean;
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            last_refresh: string;
            timings: components["schemas"]["NodeTimingDto"][];
            query_status: components["schemas"]["NodeStatusDto"];
            /** @description What is probably not as it was meant, such as events that have never arrived; absent when there is nothing. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        AlertErrorDto: {
            /**
             * @description `unavailable` and `error` pass by themselves.
             * @example too_expensive
             */
            code: string;
            /** @example The question took too long */
            detail: string;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            at: string;
        };
        AlertCheckDto: {
            /**
             * Format: date-time
             * @description The first moment of the interval.
             * @example 2026-01-08T00:00:00.000Z
             */
            interval_start: string;
            /**
             * @description The number of the interval.
             * @example 93
             */
            calculated_value: number;
            /**
             * @description What is compared with the bounds: the number or its change. Null: an infinite change, from 0.
             * @example 93
             */
            compared: number | null;
            /** @example 100 */
            lower: number | null;
            /** @example null */
            upper: number | null;
            /**
             * @example Firing
             * @enum {string}
             */
            state: "Firing" | "Not firing";
            /**
             * @description What messages tell of this interval; null: nothing has changed.
             * @example fired
             * @enum {string|null}
             */
            change: "fired" | "resolved" | null;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-01-09T00:01:00.000Z
             */
            created_at: string;
        };
        AlertDto: {
            /** @example 3 */
            id: number;
            /** @example Few sign-ups */
            name: string;
            /**
             * @description The saved question. Its name is null once it is deleted.
             * @example {
             *       "id": 12,
             *       "short_id": "k7Qx2mPa",
             *       "name": "Sign-ups"
             *     }
             */
            insight: {
                id: number;
                short_id?: string;
                name?: string | null;
            };
            /**
             * @example {
             *       "type": "absolute_value"
             *     }
             */
            condition: {
                /** @enum {string} */
                type: "absolute_value" | "relative_increase" | "relative_decrease" | "band";
                deviations?: number;
                periods?: number;
            };
            /**
             * @example {
             *       "configuration": {
             *         "type": "absolute",
             *         "bounds": {
             *           "lower": 100,
             *           "upper": null
             *         }
             *       }
             *     }
             */
            threshold: {
                configuration: {
                    /** @enum {string} */
                    type: "absolute" | "percentage";
                    bounds: {
                        lower?: number | null;
                        upper?: number | null;
                    };
                };
            } | null;
            /**
             * @example {
             *       "type": "TrendsAlertConfig",
             *       "series_index": 0,
             *       "check_ongoing_interval": false
             *     }
             */
            config: {
                /** @enum {string} */
                type?: "TrendsAlertConfig";
                series_index?: number;
                /** @enum {boolean|null} */
                check_ongoing_interval?: false | null;
            };
            /**
             * @example daily
             * @enum {string}
             */
            calculation_interval: "hourly" | "daily" | "weekly" | "monthly";
            /** @example true */
            enabled: boolean;
            /**
             * @description Why the service has disabled it.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @example null
             */
            snoozed_until: string | null;
            /** @example false */
            skip_weekend: boolean;
            /** @example [] */
            subscribed_users: number[];
            /**
             * @example Not firing
             * @enum {string}
             */
            state: "Firing" | "Not firing" | "Errored" | "Snoozed";
            /**
             * @description Why the last check failed; it is tried again.
             * @example null
             */
            error: components["schemas"]["AlertErrorDto"] | null;
            /**
             * @description The number of the last decided interval.
             * @example 120
             */
            last_value: number | null;
            /**
             * Format: date-time
             * @example 2026-01-09T00:01:00.000Z
             */
            last_checked_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            last_notified_at: string | null;
            /**
             * Format: date-time
             * @description Null while it is disabled.
             * @example 2026-01-10T00:01:00.000Z
             */
            next_check_at: string | null;
            /**
             * @description The decided intervals, newest first: only in the answer to the request for one alert.
             * @example []
             */
            checks: components["schemas"]["AlertCheckDto"][];
            /**
             * @description How many checks are kept; null in lists.
             * @example 1
             */
            checks_total: number | null;
            /** @example null */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            updated_at: string;
            /**
             * @description True only in the answer to the request that deletes the record.
             * @example false
             */
            deleted: boolean;
        };
        AlertPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["AlertDto"][];
        };
        CreateAlertBody: {
            /**
             * @description Messages contain it.
             * @example Few sign-ups
             */
            name?: string;
            /**
             * @description The id of a saved question: a trend by the hour, day, week or month with one number for each interval, so without a breakdown, a running sum, smoothing or a single number for the whole range. Its own time range has no effect.
             * @example 12
             */
            insight: number | {
                id: number;
                short_id?: string;
                name?: string | null;
            };
            /**
             * @description What is compared: the number (`absolute_value`, the default), its increase or decrease since the interval before, or, with `band`, the number with its own past: the median of `periods` earlier intervals, plus and minus `deviations` times the median distance from it. An hour or a day is compared with those of the same weekday.
             * @example {
             *       "type": "absolute_value"
             *     }
             */
            condition?: {
                /** @enum {string} */
                type: "absolute_value" | "relative_increase" | "relative_decrease" | "band";
                deviations?: number;
                periods?: number;
            } | null;
            /**
             * @description The bounds: below `lower` and above `upper` is a breach. With `percentage` they are shares, so 0.5 is 50 %. Null with `band`.
             * @example {
             *       "configuration": {
             *         "type": "absolute",
             *         "bounds": {
             *           "lower": 100,
             *           "upper": null
             *         }
             *       }
             *     }
             */
            threshold?: {
                configuration: {
                    /** @enum {string} */
                    type: "absolute" | "percentage";
                    bounds: {
                        lower?: number | null;
                        upper?: number | null;
                    };
                };
            } | null;
            /**
             * @description `series_index` is the position of the series in the question. An interval is decided after it has ended.
             * @example {
             *       "type": "TrendsAlertConfig",
             *       "series_index": 0,
             *       "check_ongoing_interval": false
             *     }
             */
            config?: {
                /** @enum {string} */
                type?: "TrendsAlertConfig";
                series_index?: number;
                /** @enum {boolean|null} */
                check_ongoing_interval?: false | null;
            } | null;
            /**
             * @description How often it is checked. The interval of the question that ended last is decided, and each interval once. Default: `"daily"`.
             * @example daily
             * @enum {string}
             */
            calculation_interval?: "hourly" | "daily" | "weekly" | "monthly";
            /**
             * @description False: nothing is checked. Default: `true`.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description Nothing is checked before this moment: ISO 8601, or from now on, such as `2h`, `1d` or `1w`. Null: checked.
             * @example null
             */
            snoozed_until?: string | null;
            /**
             * @description True: hours and days of Saturday and Sunday, in the time zone of the project, are not decided.
             * @example false
             */
            skip_weekend?: boolean | null;
            /**
             * @description Empty: webhooks with the events `alert.fired` and `alert.resolved` tell of alerts.
             * @example []
             */
            subscribed_users?: number[];
        };
        DecidedDto: {
            /**
             * Format: date-time
             * @description The first moment of the interval.
             * @example 2026-01-08T00:00:00.000Z
             */
            interval_start: string;
            /**
             * @description The number of the interval.
             * @example 93
             */
            calculated_value: number;
            /**
             * @description What is compared with the bounds: the number or its change. Null: an infinite change, from 0.
             * @example 93
             */
            compared: number | null;
            /** @example 100 */
            lower: number | null;
            /** @example null */
            upper: number | null;
            /**
             * @example Firing
             * @enum {string}
             */
            state: "Firing" | "Not firing";
            /**
             * @description What messages tell of this interval; null: nothing has changed.
             * @example fired
             * @enum {string|null}
             */
            change: "fired" | "resolved" | null;
        };
        BacktestDto: {
            /**
             * Format: date-time
             * @description The first moment of the range.
             * @example 2026-01-01T00:00:00.000Z
             */
            date_from: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            as_of: string;
            /**
             * @description How often it would have fired.
             * @example 2
             */
            fired: number;
            /** @description Every interval that it would have decided, in order. */
            results: components["schemas"]["DecidedDto"][];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `created_by`, `created_at`; a value that differs from the record is a 400. The service itself changes `state`, `error`, `disabled_reason`, `last_value`, `last_checked_at`, `last_notified_at`, `next_check_at`, `checks`, `checks_total`, `updated_at`: any value is accepted and has no effect. */
        UpdateAlertBody: {
            /**
             * @description Messages contain it.
             * @example Few sign-ups
             */
            name?: string;
            /**
             * @description The id of a saved question: a trend by the hour, day, week or month with one number for each interval, so without a breakdown, a running sum, smoothing or a single number for the whole range. Its own time range has no effect.
             * @example 12
             */
            insight?: number | {
                id: number;
                short_id?: string;
                name?: string | null;
            };
            /**
             * @description What is compared: the number (`absolute_value`, the default), its increase or decrease since the interval before, or, with `band`, the number with its own past: the median of `periods` earlier intervals, plus and minus `deviations` times the median distance from it. An hour or a day is compared with those of the same weekday.
             * @example {
             *       "type": "absolute_value"
             *     }
             */
            condition?: {
                /** @enum {string} */
                type: "absolute_value" | "relative_increase" | "relative_decrease" | "band";
                deviations?: number;
                periods?: number;
            } | null;
            /**
             * @description The bounds: below `lower` and above `upper` is a breach. With `percentage` they are shares, so 0.5 is 50 %. Null with `band`.
             * @example {
             *       "configuration": {
             *         "type": "absolute",
             *         "bounds": {
             *           "lower": 100,
             *           "upper": null
             *         }
             *       }
             *     }
             */
            threshold?: {
                configuration: {
                    /** @enum {string} */
                    type: "absolute" | "percentage";
                    bounds: {
                        lower?: number | null;
                        upper?: number | null;
                    };
                };
            } | null;
            /**
             * @description `series_index` is the position of the series in the question. An interval is decided after it has ended.
             * @example {
             *       "type": "TrendsAlertConfig",
             *       "series_index": 0,
             *       "check_ongoing_interval": false
             *     }
             */
            config?: {
                /** @enum {string} */
                type?: "TrendsAlertConfig";
                series_index?: number;
                /** @enum {boolean|null} */
                check_ongoing_interval?: false | null;
            } | null;
            /**
             * @description How often it is checked. The interval of the question that ended last is decided, and each interval once. Default: `"daily"`.
             * @example daily
             * @enum {string}
             */
            calculation_interval?: "hourly" | "daily" | "weekly" | "monthly";
            /**
             * @description False: nothing is checked. Default: `true`.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description Nothing is checked before this moment: ISO 8601, or from now on, such as `2h`, `1d` or `1w`. Null: checked.
             * @example null
             */
            snoozed_until?: string | null;
            /**
             * @description True: hours and days of Saturday and Sunday, in the time zone of the project, are not decided.
             * @example false
             */
            skip_weekend?: boolean | null;
            /**
             * @description Empty: webhooks with the events `alert.fired` and `alert.resolved` tell of alerts.
             * @example []
             */
            subscribed_users?: number[];
            /**
             * @description `true` deletes the record, as DELETE does; the other fields then have no effect.
             * @example false
             */
            deleted?: boolean | null;
        };
        AnnotationDto: {
            /** @example 3 */
            id: number;
            /** @example Release 2.0 */
            content: string;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            date_marker: string;
            /**
             * @example project
             * @enum {string}
             */
            scope: "project" | "dashboard" | "dashboard_item";
            /** @example null */
            dashboard_id: number | null;
            /** @example null */
            dashboard_item: number | null;
            /**
             * @example USR
             * @enum {string}
             */
            creation_type: "USR" | "GIT";
            /**
             * @description The user of the key that made it.
             * @example null
             */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            updated_at: string;
            /**
             * @description True only in the answer to the request that deletes the record.
             * @example false
             */
            deleted: boolean;
        };
        AnnotationPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["AnnotationDto"][];
        };
        CreateAnnotationBody: {
            /**
             * @description The text that charts show.
             * @example Release 2.0
             */
            content: string;
            /**
             * @description The date or moment, ISO 8601; a date is the beginning of the day in the time zone of the project. Null: now.
             * @example 2026-01-08T10:00:00.000Z
             */
            date_marker?: string | null;
            /**
             * @description Which charts show it: those of the project, of the dashboard `dashboard_id`, or of the saved question `dashboard_item`. By default, what the ids say.
             * @example project
             * @enum {string}
             */
            scope?: "project" | "dashboard" | "dashboard_item";
            /**
             * @description A dashboard, for the scope `dashboard`.
             * @example null
             */
            dashboard_id?: number | null;
            /**
             * @description A saved question, for the scope `dashboard_item`.
             * @example null
             */
            dashboard_item?: number | null;
            /**
             * @description USR: a user; GIT: a program. Default: `"USR"`.
             * @example USR
             * @enum {string}
             */
            creation_type?: "USR" | "GIT";
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `created_by`, `created_at`; a value that differs from the record is a 400. The service itself changes `updated_at`: any value is accepted and has no effect. */
        UpdateAnnotationBody: {
            /**
             * @description The text that charts show.
             * @example Release 2.0
             */
            content?: string;
            /**
             * @description The date or moment, ISO 8601; a date is the beginning of the day in the time zone of the project. Null: now.
             * @example 2026-01-08T10:00:00.000Z
             */
            date_marker?: string | null;
            /**
             * @description Which charts show it: those of the project, of the dashboard `dashboard_id`, or of the saved question `dashboard_item`. By default, what the ids say.
             * @example project
             * @enum {string}
             */
            scope?: "project" | "dashboard" | "dashboard_item";
            /**
             * @description A dashboard, for the scope `dashboard`.
             * @example null
             */
            dashboard_id?: number | null;
            /**
             * @description A saved question, for the scope `dashboard_item`.
             * @example null
             */
            dashboard_item?: number | null;
            /**
             * @description USR: a user; GIT: a program. Default: `"USR"`.
             * @example USR
             * @enum {string}
             */
            creation_type?: "USR" | "GIT";
            /**
             * @description `true` deletes the record, as DELETE does; the other fields then have no effect.
             * @example false
             */
            deleted?: boolean | null;
        };
        TileDto: {
            /** @example 11 */
            id: number;
            /** @example 3 */
            insight_id: number;
            /**
             * @description From 0.
             * @example 0
             */
            position: number;
            /** @example 6 */
            width: number;
        };
        DashboardDto: {
            /** @example 3 */
            id: number;
            /** @example Weekly active persons */
            name: string;
            /** @example  */
            description: string;
            /**
             * @description Whether the user of the key has marked it.
             * @example false
             */
            favourite: boolean;
            /**
             * @example [
             *       "checkout"
             *     ]
             */
            tags: string[];
            /**
             * @description The user of the key that made it.
             * @example null
             */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            updated_at: string;
            /**
             * @description True only in the answer to the request that deletes the record.
             * @example false
             */
            deleted: boolean;
            /**
             * @description The same as `favourite`.
             * @example false
             */
            pinned: boolean;
            /** @example -30d */
            date_from: string | null;
            /** @example null */
            date_to: string | null;
            /** @description By position. */
            tiles: components["schemas"]["TileDto"][];
        };
        DashboardPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["DashboardDto"][];
        };
        TileBody: {
            /**
             * @description The id of a tile of this dashboard, which keeps it. A tile without an id is a new one.
             * @example null
             */
            id?: number | null;
            /**
             * @description The saved question that it shows.
             * @example 3
             */
            insight_id: number;
            /**
             * @description Tiles are sorted by it, and numbered anew from 0. By default the order of the list.
             * @example 0
             */
            position?: number | null;
            /**
             * @description Columns of a grid of twelve. Default: `6`.
             * @example 6
             */
            width?: number | null;
        };
        CreateDashboardBody: {
            /** @example  */
            description?: string | null;
            /**
             * @description Whether the user of the key has marked it. Each user has marks of their own.
             * @example false
             */
            favourite?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
            /** @example Growth */
            name: string;
            /**
             * @description The same as `favourite`, which comes before pinned.
             * @example false
             */
            pinned?: boolean | null;
            /**
             * @description A time range for all tiles, together with `date_to`: ISO date, `all`, or relative such as `-7d`. Without both, each tile has the range of its own question.
             * @example -30d
             */
            date_from?: string | null;
            /**
             * @description Like `date_from`.
             * @example now
             */
            date_to?: string | null;
            /**
             * @description At most 50 tiles. A list in a change replaces all tiles.
             * @example []
             */
            tiles?: components["schemas"]["TileBody"][];
        };
        InsightNumbersDto: {
            /** @description The numbers of the insight. */
            insight: components["schemas"]["TrendsDto"] | components["schemas"]["TrendsTotalsDto"] | components["schemas"]["FunnelDto"] | components["schemas"]["FunnelByValueDto"] | components["schemas"]["FunnelTimesDto"] | components["schemas"]["FunnelTrendsDto"] | components["schemas"]["CorrelationDto"] | components["schemas"]["RetentionDto"] | components["schemas"]["PathDto"] | components["schemas"]["LifecycleDto"] | components["schemas"]["StickinessDto"];
            /** @description As the route of the question answers. */
            warnings?: components["schemas"]["QuestionWarningDto"][];
        };
        TileAnswerDto: {
            /** @example 11 */
            tile_id: number;
            /** @example 3 */
            insight_id: number;
            /**
             * Format: date-time
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of?: string;
            /**
             * @description As in the answer of one insight.
             * @example false
             */
            is_cached?: boolean;
            /** @description What the route of the question answers with `include=insight`, or the answer of `query`; of a node, its results as rows. */
            answer?: components["schemas"]["InsightNumbersDto"] | components["schemas"]["QueryAnswerDto"];
            /** @description In place of an answer: why there is none. The other tiles are not affected. */
            problem?: components["schemas"]["ProblemDto"];
        };
        DashboardAnswersDto: {
            /** @description By position. */
            results: components["schemas"]["TileAnswerDto"][];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `created_by`, `created_at`; a value that differs from the record is a 400. The service itself changes `updated_at`: any value is accepted and has no effect. */
        UpdateDashboardBody: {
            /** @example  */
            description?: string | null;
            /**
             * @description Whether the user of the key has marked it. Each user has marks of their own.
             * @example false
             */
            favourite?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
            /** @example Growth */
            name?: string;
            /**
             * @description The same as `favourite`, which comes before pinned.
             * @example false
             */
            pinned?: boolean | null;
            /**
             * @description A time range for all tiles, together with `date_to`: ISO date, `all`, or relative such as `-7d`. Without both, each tile has the range of its own question.
             * @example -30d
             */
            date_from?: string | null;
            /**
             * @description Like `date_from`.
             * @example now
             */
            date_to?: string | null;
            /**
             * @description At most 50 tiles. A list in a change replaces all tiles.
             * @example []
             */
            tiles?: components["schemas"]["TileBody"][];
            /**
             * @description `true` deletes the record, as DELETE does; the other fields then have no effect.
             * @example false
             */
            deleted?: boolean | null;
        };
        SavedQuestionDto: {
            /**
             * @description The insight, a question in SQL, or a node that stands for neither: a list, or trends with several formulas.
             * @example trends
             * @enum {string}
             */
            type: "trends" | "funnel" | "retention" | "paths" | "lifecycle" | "stickiness" | "correlation" | "sql" | "node";
            /**
             * @description The parameters of the route of that insight (`persons/trends`, `persons/funnel`, …), or the fields of the body of `query`, as they were sent. Without `search`, `limit`, `offset` and `format` of lists of persons.
             * @example {
             *       "events": [
             *         {
             *           "id": "$pageview",
             *           "math": "dau"
             *         }
             *       ],
             *       "date_from": "-30d",
             *       "interval": "week"
             *     }
             */
            params: {
                [key: string]: unknown;
            };
        };
        NamedRecordDto: {
            /** @example 5 */
            id: number;
            /** @example Growth */
            name: string;
        };
        SavedInsightDto: {
            /** @example 3 */
            id: number;
            /** @example Weekly active persons */
            name: string;
            /** @example  */
            description: string;
            /**
             * @description Whether the user of the key has marked it.
             * @example false
             */
            favourite: boolean;
            /**
             * @example [
             *       "checkout"
             *     ]
             */
            tags: string[];
            /**
             * @description The user of the key that made it.
             * @example null
             */
            created_by: components["schemas"]["UserDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            updated_at: string;
            /**
             * @description True only in the answer to the request that deletes the record.
             * @example false
             */
            deleted: boolean;
            /**
             * @description Follows from the id, and may take its place in addresses.
             * @example GiCPQbyV
             */
            short_id: string;
            /**
             * @description The same as `favourite`.
             * @example false
             */
            favorited: boolean;
            question: components["schemas"]["SavedQuestionDto"];
            /**
             * @description The node from which the question was made, as it was sent; null for a question that was sent as such.
             * @example null
             */
            query: {
                [key: string]: unknown;
            } | null;
            /**
             * @description A name made from the question, for an insight without one.
             * @example signed up
             */
            derived_name: string;
            /**
             * Format: date-time
             * @description With `refresh`: `result` includes everything that was acknowledged up to this moment. Otherwise null.
             * @example null
             */
            last_refresh: string | null;
            /**
             * @description With `refresh`: `results` of the answer that `POST query` gives to the node. Otherwise null.
             * @example null
             */
            result: (unknown[] | null) | {
                [key: string]: unknown;
            };
            /**
             * @description Dashboards that show it, at most 20. The deletion of the insight removes its tiles from them.
             * @example []
             */
            dashboards: components["schemas"]["NamedRecordDto"][];
        };
        SavedInsightPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["SavedInsightDto"][];
        };
        CreateInsightBody: {
            /** @example  */
            description?: string | null;
            /**
             * @description Whether the user of the key has marked it. Each user has marks of their own.
             * @example false
             */
            favourite?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Empty or absent: `derived_name` of the answer stands in for it.
             * @example Weekly active persons
             */
            name?: string | null;
            /**
             * @description Has no effect: it is made from the question.
             * @example null
             */
            derived_name?: string | null;
            /**
             * @description The type of the question and its parameters, which are checked as the route of the question checks them: a fault is a 400 that names `question.params.…`.
             * @example {
             *       "type": "trends",
             *       "params": {
             *         "events": [
             *           {
             *             "id": "$pageview",
             *             "math": "dau"
             *           }
             *         ],
             *         "date_from": "-30d",
             *         "interval": "week"
             *       }
             *     }
             */
            question?: {
                /** @enum {string} */
                type: "trends" | "funnel" | "retention" | "paths" | "lifecycle" | "stickiness" | "correlation" | "sql" | "node";
                params?: {
                    [key: string]: unknown;
                };
            };
            /**
             * @description In place of `question`: a node as `POST query` takes it. It is kept as it was sent, and `question` is what it stands for here.
             * @example null
             */
            query?: ({
                /** @example TrendsQuery */
                kind: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * @description The same as `favourite`, which comes before favorited.
             * @example false
             */
            favorited?: boolean | null;
        };
        InsightAnswerDto: {
            /**
             * Format: date-time
             * @description The answer includes everything that was acknowledged up to this moment.
             * @example 2026-01-08T10:00:00.000Z
             */
            as_of: string;
            /**
             * @description Whether the answer was kept from an earlier request, for at most 15 minutes. A change of persons, deletions among them, of cohorts, actions or settings makes kept answers void.
             * @example false
             */
            is_cached: boolean;
            /** @description What the route of the question answers with `include=insight`, or the answer of `query`; of a node, its results as rows. */
            answer: components["schemas"]["InsightNumbersDto"] | components["schemas"]["QueryAnswerDto"];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `created_by`, `created_at`, `short_id`; a value that differs from the record is a 400. The service itself changes `updated_at`, `dashboards`, `last_refresh`, `result`: any value is accepted and has no effect. */
        UpdateInsightBody: {
            /** @example  */
            description?: string | null;
            /**
             * @description Whether the user of the key has marked it. Each user has marks of their own.
             * @example false
             */
            favourite?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Empty or absent: `derived_name` of the answer stands in for it.
             * @example Weekly active persons
             */
            name?: string | null;
            /**
             * @description Has no effect: it is made from the question.
             * @example null
             */
            derived_name?: string | null;
            /**
             * @description The type of the question and its parameters, which are checked as the route of the question checks them: a fault is a 400 that names `question.params.…`.
             * @example {
             *       "type": "trends",
             *       "params": {
             *         "events": [
             *           {
             *             "id": "$pageview",
             *             "math": "dau"
             *           }
             *         ],
             *         "date_from": "-30d",
             *         "interval": "week"
             *       }
             *     }
             */
            question?: {
                /** @enum {string} */
                type: "trends" | "funnel" | "retention" | "paths" | "lifecycle" | "stickiness" | "correlation" | "sql" | "node";
                params?: {
                    [key: string]: unknown;
                };
            };
            /**
             * @description In place of `question`: a node as `POST query` takes it. It is kept as it was sent, and `question` is what it stands for here.
             * @example null
             */
            query?: ({
                /** @example TrendsQuery */
                kind: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * @description The same as `favourite`, which comes before favorited.
             * @example false
             */
            favorited?: boolean | null;
            /**
             * @description `true` deletes the record, as DELETE does; the other fields then have no effect.
             * @example false
             */
            deleted?: boolean | null;
        };
        UserOfNameDto: {
            /** @example 5 */
            id: number;
            /** @example Paying customers */
            name: string;
        };
        UsedByDto: {
            /** @description Cohorts whose definition names it. */
            cohorts: components["schemas"]["UserOfNameDto"][];
            /** @description Saved questions that name it. */
            insights: components["schemas"]["UserOfNameDto"][];
            /** @description Actions whose steps name it. */
            actions: components["schemas"]["UserOfNameDto"][];
        };
        CatalogueEventDto: {
            /** @example The form was sent. */
            description: string;
            /** @example null */
            owner: components["schemas"]["UserDto"] | null;
            /** @example false */
            hidden: boolean;
            /**
             * @example [
             *       "checkout"
             *     ]
             */
            tags: string[];
            /** @description At most 20 of each, by id; of the kinds that the key may read (`cohort:read`, `insight:read`, `action:read`). */
            used_by: components["schemas"]["UsedByDto"];
            /** @example signed up */
            name: string;
            /**
             * @description The number of events of the last 30 days, today included, in UTC.
             * @example 1200
             */
            volume_30_days: number;
            /**
             * Format: date-time
             * @description The time of the earliest event.
             * @example 2026-01-02T10:00:00.000Z
             */
            first_seen: string;
            /**
             * Format: date-time
             * @description The time of the latest event.
             * @example 2026-01-08T10:00:00.000Z
             */
            last_seen: string;
        };
        CatalogueEventPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["CatalogueEventDto"][];
        };
        DefineEventBody: {
            /**
             * @description The name that is described. It stands in the body because a name may have any character.
             * @example signed up
             */
            name: string;
            /** @example The form was sent. */
            description?: string | null;
            /**
             * @description The id of a user with a key that opens the project; null for no owner.
             * @example null
             */
            owner?: number | null;
            /**
             * @description Lists of names leave hidden ones out; questions and their answers do not.
             * @example false
             */
            hidden?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
        };
        CataloguePropertyDto: {
            /** @example The form was sent. */
            description: string;
            /** @example null */
            owner: components["schemas"]["UserDto"] | null;
            /** @example false */
            hidden: boolean;
            /**
             * @example [
             *       "checkout"
             *     ]
             */
            tags: string[];
            /** @description At most 20 of each, by id; of the kinds that the key may read (`cohort:read`, `insight:read`, `action:read`). */
            used_by: components["schemas"]["UsedByDto"];
            /** @example plan */
            name: string;
            /**
             * @example event
             * @enum {string}
             */
            kind: "event" | "person";
            /**
             * @description The number of events of the last 30 days that have it; null for a property of persons.
             * @example 1200
             */
            volume_30_days: number | null;
            /**
             * @description The number of persons that have it; null for a property of events.
             * @example null
             */
            persons: number | null;
            /**
             * Format: date-time
             * @description The time of the latest event that has it; null for a property of persons.
             * @example 2026-01-08T10:00:00.000Z
             */
            last_seen: string | null;
            /**
             * @description The types of its values. Lists and objects are stored as text.
             * @example [
             *       "text"
             *     ]
             */
            types: ("boolean" | "number" | "text")[];
        };
        CataloguePropertiesPageDto: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["CataloguePropertyDto"][];
            /**
             * Format: date
             * @description Properties of events: the first day that the numbers count, in UTC. In a very large project the days are counted one after the other, and a first answer may begin later than 30 days ago. Null for properties of persons.
             * @example 2025-12-10
             */
            counted_since: string | null;
        };
        DefinePropertyBody: {
            /**
             * @description The name that is described. It stands in the body because a name may have any character.
             * @example signed up
             */
            name: string;
            /** @example The form was sent. */
            description?: string | null;
            /**
             * @description The id of a user with a key that opens the project; null for no owner.
             * @example null
             */
            owner?: number | null;
            /**
             * @description Lists of names leave hidden ones out; questions and their answers do not.
             * @example false
             */
            hidden?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Whose properties. Default: `"event"`.
             * @example event
             * @enum {string}
             */
            kind?: "event" | "person";
        };
        EventDefinitionDto: {
            /**
             * Format: uuid
             * @description Follows from the kind and the name.
             * @example c1b9a1de-0f4c-5b57-8a53-0d8b4b0d3c11
             */
            id: string;
            /** @example signed up */
            name: string;
            /** @example The form was sent. */
            description: string;
            /**
             * @example [
             *       "checkout"
             *     ]
             */
            tags: string[];
            /** @example false */
            hidden: boolean;
            /**
             * Format: date-time
             * @description The time of the earliest event.
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of the latest event.
             * @example 2026-01-08T10:00:00.000Z
             */
            last_seen_at: string;
            /**
             * @description The number of events of the last 30 days, in UTC.
             * @example 1200
             */
            volume_30_day: number;
        };
        EventDefinitionPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["EventDefinitionDto"][];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `name`; a value that differs from the record is a 400. The service itself changes `created_at`, `last_seen_at`, `volume_30_day`: any value is accepted and has no effect. */
        UpdateEventDefinitionBody: {
            /** @example The form was sent. */
            description?: string | null;
            /**
             * @description Lists of names leave hidden ones out; questions and their answers do not.
             * @example false
             */
            hidden?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
        };
        PropertyDefinitionDto: {
            /**
             * Format: uuid
             * @description Follows from the kind and the name.
             * @example c1b9a1de-0f4c-5b57-8a53-0d8b4b0d3c11
             */
            id: string;
            /** @example signed up */
            name: string;
            /** @example The form was sent. */
            description: string;
            /**
             * @example [
             *       "checkout"
             *     ]
             */
            tags: string[];
            /** @example false */
            hidden: boolean;
            /**
             * @example event
             * @enum {string}
             */
            type: "event" | "person";
            /**
             * @description Whether all its values are numbers.
             * @example false
             */
            is_numerical: boolean;
            /**
             * @description The type of its values; null for values of several types.
             * @example String
             * @enum {string|null}
             */
            property_type: "String" | "Numeric" | "Boolean" | null;
            /**
             * @description Whether the events in `event_names` have it; null without `event_names`.
             * @example null
             */
            is_seen_on_filtered_events: boolean | null;
        };
        PropertyDefinitionPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["PropertyDefinitionDto"][];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `name`, `type`, `is_numerical`, `property_type`; a value that differs from the record is a 400. The service itself changes `is_seen_on_filtered_events`: any value is accepted and has no effect. */
        UpdatePropertyDefinitionBody: {
            /** @example The form was sent. */
            description?: string | null;
            /**
             * @description Lists of names leave hidden ones out; questions and their answers do not.
             * @example false
             */
            hidden?: boolean | null;
            /**
             * @description Labels; stored once each, in alphabetical order.
             * @example [
             *       "checkout"
             *     ]
             */
            tags?: string[] | null;
        };
        DeletionRequestDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * @description The id of the deleted person.
             * @example 41
             */
            person_id: number;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            person_uuid: string;
            /**
             * @description The number of distinct ids of the deleted person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example done
             * @enum {string}
             */
            state: "pending" | "running" | "done";
            /**
             * Format: date-time
             * @description Events received up to this moment are deleted.
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description The `X-Request-Id` of the request that deleted the person.
             * @example import-7
             */
            request_id: string;
            /**
             * Format: date-time
             * @description The scheduled time of the job; an operator may run it earlier.
             * @example 2026-01-04T05:00:00.000Z
             */
            scheduled_for: string;
            /**
             * Format: date-time
             * @example 2026-01-04T05:00:00.000Z
             */
            started_at: string | null;
            /**
             * @description The number of events deleted so far.
             * @example 1200
             */
            events_deleted: number;
            /**
             * @description The number of events that the last count found in PostgreSQL or ClickHouse; null before the first count.
             * @example 0
             */
            events_left: number | null;
            /**
             * Format: date-time
             * @description The time at which neither store had any of the events.
             * @example 2026-01-04T05:00:02.000Z
             */
            verified_at: string | null;
            /**
             * @description The reason why the last attempt did not finish; the job retries by itself.
             * @example null
             */
            error: string | null;
        };
        DeletionRequestPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["DeletionRequestDto"][];
        };
        ExpiredNameDto: {
            /**
             * @description The name of the events.
             * @example $pageview
             */
            event: string;
            /** @example 1200 */
            count: number;
        };
        ExpiryRunDto: {
            /**
             * @description The setting that was used; null: for ever.
             * @example 365
             */
            events_ttl_days: number | null;
            /**
             * @description The exceptions that were used.
             * @example {
             *       "order paid": null
             *     }
             */
            events_ttl_days_by_name: {
                [key: string]: number | null;
            };
            /**
             * Format: date-time
             * @description The moment from which the age of an event counts.
             * @example 2026-01-04T05:00:00.000Z
             */
            counted_from: string;
            /**
             * Format: date-time
             * @description Only events that arrived up to this moment are removed: a day before.
             * @example 2026-01-03T05:00:00.000Z
             */
            received_up_to: string;
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            id: string;
            /**
             * @description `stopped`: the settings were changed while the run removed events.
             * @example done
             * @enum {string}
             */
            state: "running" | "done" | "stopped";
            /**
             * Format: date-time
             * @example 2026-01-04T05:00:00.120Z
             */
            started_at: string;
            /**
             * @description The number of events removed so far.
             * @example 1200
             */
            events_deleted: number;
            /** @description By name, at most 100 names, most frequent first. */
            events: components["schemas"]["ExpiredNameDto"][];
            /**
             * @description The number of events that the last count found in ClickHouse; null before the first count.
             * @example 0
             */
            events_left: number | null;
            /**
             * Format: date-time
             * @description The time at which neither store had any of the events.
             * @example 2026-01-04T05:00:02.000Z
             */
            verified_at: string | null;
            /**
             * @description The reason why the run was stopped, or why its last attempt did not finish; the job retries by itself.
             * @example null
             */
            error: string | null;
        };
        ExpiryRunPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["ExpiryRunDto"][];
        };
        ExpiredMonthDto: {
            /**
             * @description A month in UTC.
             * @example 2024-03
             */
            month: string;
            /** @example 1200 */
            count: number;
        };
        ExpiringNameDto: {
            /**
             * @description The name of the events.
             * @example $pageview
             */
            event: string;
            /** @example 1200 */
            count: number;
            /**
             * Format: date-time
             * @example 2024-03-01T10:00:00.000Z
             */
            oldest: string;
        };
        ExpiryPreviewDto: {
            /**
             * @description The setting that was used; null: for ever.
             * @example 365
             */
            events_ttl_days: number | null;
            /**
             * @description The exceptions that were used.
             * @example {
             *       "order paid": null
             *     }
             */
            events_ttl_days_by_name: {
                [key: string]: number | null;
            };
            /**
             * Format: date-time
             * @description The moment from which the age of an event counts.
             * @example 2026-01-04T05:00:00.000Z
             */
            counted_from: string;
            /**
             * Format: date-time
             * @description Only events that arrived up to this moment are removed: a day before.
             * @example 2026-01-03T05:00:00.000Z
             */
            received_up_to: string;
            /**
             * Format: date-time
             * @description The scheduled moment of the next run, for which the events are counted.
             * @example 2026-01-04T05:00:00.000Z
             */
            next_run: string;
            /**
             * @description The number of events that the next run will remove.
             * @example 1200
             */
            total: number;
            /**
             * Format: date-time
             * @description The timestamp of the oldest of them.
             * @example 2024-03-01T10:00:00.000Z
             */
            oldest: string | null;
            /** @description By the months of their timestamps, oldest first. */
            months: components["schemas"]["ExpiredMonthDto"][];
            /** @description By name, at most 100 names, most frequent first. */
            events: components["schemas"]["ExpiringNameDto"][];
            /**
             * @description The number of names that have such events.
             * @example 1
             */
            event_names: number;
            /**
             * Format: date-time
             * @description The counts are complete up to this moment.
             * @example 2026-01-02T10:00:00.000Z
             */
            as_of: string;
        };
        DocumentPersonDto: {
            /** @example 41 */
            id: number;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description Whether the person is a known user.
             * @example true
             */
            is_identified: boolean;
            /**
             * @example {
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
        };
        MergedPersonDto: {
            /** @example 40 */
            id: number;
            /**
             * Format: uuid
             * @description Null when a later person with the same uuid was deleted.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string | null;
        };
        CohortOfPersonDto: {
            /** @example 7 */
            id: number;
            /** @example Paying users */
            name: string | null;
            /**
             * @description Whether the members were listed one by one.
             * @example false
             */
            is_static: boolean;
        };
        DocumentEventDto: {
            /**
             * Format: uuid
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid: string;
            /** @example signed up */
            event: string;
            /** @example ada */
            distinct_id: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.120Z
             */
            received_at: string;
            /**
             * @example {
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
        };
        PersonDocumentDto: {
            /**
             * Format: date-time
             * @example 2026-01-03T10:00:00.000Z
             */
            exported_at: string;
            person: components["schemas"]["DocumentPersonDto"];
            /**
             * @description All distinct ids, in the order they were added.
             * @example [
             *       "ada",
             *       "ada-phone"
             *     ]
             */
            distinct_ids: string[];
            /** @description The persons that were merged into this one. */
            merged: components["schemas"]["MergedPersonDto"][];
            /** @description The cohorts of which the person is a member now. */
            cohorts: components["schemas"]["CohortOfPersonDto"][];
            /** @description Changes of the person and of the persons merged into it, each newest first. */
            activity: components["schemas"]["ActivityEntryDto"][];
            /** @description All events, in the order of time. */
            events: components["schemas"]["DocumentEventDto"][];
        };
        HomeDto: {
            /** @example Kohort */
            name: string;
            /**
             * @description The interactive documentation of this interface.
             * @example /docs
             */
            docs: string;
            /**
             * @description The OpenAPI document.
             * @example /openapi.json
             */
            openapi: string;
            /**
             * @description Whether the service can answer.
             * @example /_readyz
             */
            ready: string;
        };
        LiveDto: {
            /** @example ok */
            status: string;
        };
        CanDto: {
            /**
             * @description Take in events and other changes: PostgreSQL takes them and is migrated.
             * @example true
             */
            capture: boolean;
            /**
             * @description Answer questions: PostgreSQL and ClickHouse answer, and ClickHouse has what PostgreSQL has.
             * @example true
             */
            answer: boolean;
        };
        CheckDto: {
            /** @example true */
            ok: boolean;
            /** @example answered in 1 ms */
            detail: string;
        };
        ChecksDto: {
            postgres: components["schemas"]["CheckDto"];
            clickhouse: components["schemas"]["CheckDto"];
            migrations: components["schemas"]["CheckDto"];
            /** @description The lag of ClickHouse, which does not make the service unready; or why its database answers no questions. */
            projection: components["schemas"]["CheckDto"];
        };
        ReadyDto: {
            /**
             * @example ready
             * @enum {string}
             */
            status: "ready" | "not_ready" | "stopping";
            /** @description What the process can do now. With the API it is ready when it can capture; a worker when it can also fill ClickHouse. */
            can: components["schemas"]["CanDto"];
            checks: components["schemas"]["ChecksDto"];
        };
        BackgroundWorkDto: {
            /**
             * @example cohorts
             * @enum {string}
             */
            task: "alerts" | "arrivals" | "backup" | "base_backup" | "cohorts" | "compression" | "cookieless_salts" | "deletions" | "event_archive" | "expiry" | "imports" | "merge_records" | "project_deletions" | "rate_windows" | "rebuild" | "shipping" | "wal_archive" | "webhooks";
            /**
             * @description Cohorts, imports, requests, messages; of compression projects, of the archive days. At most 10000.
             * @example 2
             */
            waiting: number;
            /**
             * @description For so long the oldest of them has been due; 0 when nothing waits.
             * @example 12.5
             */
            oldest_waiting_seconds: number;
        };
        BackgroundWorkPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["BackgroundWorkDto"][];
        };
        /** @description The record may be sent back as it was read. Read-only: `id`, `distinct_ids`, `distinct_id_count`, `created_at`, `uuid`, `is_identified`; a value that differs from the record is a 400. The service itself changes `name`: any value is accepted and has no effect. */
        SetPropertiesBody: {
            /**
             * @description Other keys stay unchanged.
             * @example {
             *       "plan": "team"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
        };
        DeletePropertyBody: {
            /**
             * @description The key; the query may contain it instead.
             * @example plan
             */
            $unset?: string;
        };
        UpdatePropertyBody: {
            /**
             * @description The query may contain it instead.
             * @example plan
             */
            key?: string;
            /**
             * @description The query may contain it instead.
             * @example team
             */
            value?: (string | null) | number | boolean | unknown[] | {
                [key: string]: unknown;
            };
        };
        MergePersonDto: {
            /** @example 41 */
            id: number;
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
            /** @description The persons that this request merged into the person, by id. Their ids now get 404 `merged`. */
            merged_persons: components["schemas"]["MergedPersonDto"][];
        };
        MergePersonBody: {
            /**
             * @description The persons of these ids are merged with all their ids. An id without a person is added, and an id of the person itself changes nothing. Use either this field or `persons`.
             * @example [
             *       "ada-2",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids?: string[];
            /**
             * @description These persons are merged: integer ids or uuids. If one of them does not exist or was merged before, none is merged.
             * @example [
             *       42,
             *       "5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11"
             *     ]
             */
            persons?: (number | string)[];
        };
        RecordedPersonDto: {
            /** @example 42 */
            id: number;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description The ids that came with the person, at most 100 of them, without those that were deleted since.
             * @example [
             *       "ada-2"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all ids that came with the person.
             * @example 1
             */
            distinct_id_count: number;
        };
        PersonMergeDto: {
            /** @example 7 */
            id: number;
            /** @description The person that no longer exists, unless the merge was undone. */
            merged: components["schemas"]["RecordedPersonDto"];
            /**
             * @description The person into which it was merged. That person may itself have been merged since.
             * @example 41
             */
            survivor_id: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:05:00.000Z
             */
            merged_at: string;
            /**
             * @description The kind of the event; `by_hand` for a request.
             * @example identify
             * @enum {string}
             */
            reason: "identify" | "alias" | "merge_dangerously" | "import" | "by_hand";
            /**
             * Format: date-time
             * @example null
             */
            undone_at: string | null;
            /**
             * @description Whether the merge can be undone now.
             * @example true
             */
            can_undo: boolean;
            /**
             * @description The reason why the merge cannot be undone; null when it can.
             * @example null
             */
            why_not: string | null;
        };
        PersonMergePage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["PersonMergeDto"][];
        };
        UnmergePersonDto: {
            /** @example 41 */
            id: number;
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
            /** @description The person that was merged, with its old id and uuid. */
            restored_person: components["schemas"]["PersonDto"];
        };
        UnsplitPersonDto: {
            /** @example 41 */
            id: number;
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
            /** @description The persons that the split had made, which are part of the person again. */
            merged_persons: components["schemas"]["MergedPersonDto"][];
        };
        TimelinePointDto: {
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp: string;
            /**
             * @example {
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * @description The number of relevant events from this one until the next point.
             * @example 4
             */
            relevant_event_count: number;
        };
        TimelineDto: {
            /** @example 41 */
            id: number;
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
            /** @description Where a crucial property changed between relevant events. */
            points: components["schemas"]["TimelinePointDto"][];
            /**
             * @example [
             *       "plan"
             *     ]
             */
            crucial_property_keys: string[];
            /**
             * Format: date-time
             * @description With `all` the first relevant event; null when there is none.
             * @example 2026-01-01T00:00:00.000Z
             */
            date_from: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T23:59:59.999Z
             */
            date_to: string;
        };
        DistinctIdsBody: {
            /**
             * @example [
             *       "ada"
             *     ]
             */
            distinct_ids: string[];
        };
        PersonsByIdDto: {
            /**
             * @description The person of each id of the request. Ids of no person are left out; the uuid of a merged person gets 404 `merged`.
             * @example {}
             */
            results: {
                [key: string]: components["schemas"]["PersonDto"];
            };
        };
        UuidsBody: {
            /**
             * @example [
             *       "00000000-0000-0000-0000-000000000000"
             *     ]
             */
            uuids: string[];
        };
        DistinctIdDto: {
            /** @example ada */
            distinct_id: string;
            /**
             * @description Whether the id looks as if an SDK generated it for an unknown visitor.
             * @example false
             */
            looks_generated: boolean;
        };
        DistinctIdPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["DistinctIdDto"][];
        };
        PropertyKeyDto: {
            /** @example plan */
            name: string;
            /**
             * @description The number of persons that have the property.
             * @example 12
             */
            count: number;
        };
        PropertyKeyPage: {
            /**
             * @description The exact number of records in all pages.
             * @example 1
             */
            count: number;
            /**
             * Format: uri
             * @description The next page.
             * @example null
             */
            next: string | null;
            /**
             * Format: uri
             * @description The previous page.
             * @example null
             */
            previous: string | null;
            results: components["schemas"]["PropertyKeyDto"][];
        };
        BulkDeleteBody: {
            /**
             * @description Integer ids or uuids. Use either this field or `distinct_ids`.
             * @example [
             *       "00000000-0000-0000-0000-000000000000"
             *     ]
             */
            ids?: (number | string)[];
            /**
             * @example [
             *       "an id without a person"
             *     ]
             */
            distinct_ids?: string[];
            /** @description Whether the events of the persons are deleted too, in the next run. The receipt of each person is `deletion_requests/{deletion_request_id}`. Default: `false`. */
            delete_events?: boolean;
        };
        BulkDeleteResultDto: {
            /**
             * @description The id, uuid or distinct id as in the request.
             * @example 41
             */
            given: number | string;
            /**
             * @description `merged`: the person was merged into another one before, which is not deleted for it.
             * @example deleted
             * @enum {string}
             */
            result: "deleted" | "not_found" | "merged";
            /**
             * @description The person that was deleted.
             * @example 41
             */
            id: number | null;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string | null;
            /**
             * @description The request to delete the events; null when the events stay.
             * @example null
             */
            deletion_request_id: string | null;
            /** @description Present when the result is `merged`. */
            merged_into?: components["schemas"]["MergedIntoDto"];
        };
        BulkDeleteReplyDto: {
            /**
             * @description The number of deleted persons.
             * @example 1
             */
            deleted: number;
            /** @description One result for each id, in the order of the request. */
            results: components["schemas"]["BulkDeleteResultDto"][];
        };
        DeleteEventsReplyDto: {
            /**
             * Format: uuid
             * @description The receipt is `deletion_requests/{deletion_request_id}`.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            deletion_request_id: string;
        };
        SplitPersonDto: {
            /** @example 41 */
            id: number;
            /**
             * @description The first non-empty display property of the project, else a distinct id.
             * @example ada@example.test
             */
            name: string;
            /**
             * @description Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.
             * @example [
             *       "ada",
             *       "018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e"
             *     ]
             */
            distinct_ids: string[];
            /**
             * @description The number of all distinct ids of the person.
             * @example 2
             */
            distinct_id_count: number;
            /**
             * @example {
             *       "email": "ada@example.test",
             *       "plan": "pro"
             *     }
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-02T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @example 5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11
             */
            uuid: string;
            /**
             * @description Whether the person was ever identified as a known user.
             * @example true
             */
            is_identified: boolean;
            /** @description The persons made for the ids that left, in the order of the ids. */
            split_persons: components["schemas"]["PersonDto"][];
        };
        SplitPersonBody: {
            /**
             * @description The id that stays; all others leave. Null keeps the first id that does not look generated. A body without either field is refused, and the answer lists the ids.
             * @example ada
             */
            main_distinct_id?: string | null;
            /**
             * @description Only these ids leave. Not allowed together with `main_distinct_id`.
             * @example [
             *       "ada-2"
             *     ]
             */
            distinct_ids_to_split?: string[];
        };
        /** @example pro */
        FilterValue: string | number | boolean;
        /** @description A filter on a property of the event. */
        EventPropertyFilter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event";
            /**
             * @description The key of the property.
             * @example plan
             */
            key: string;
            /**
             * @description How the property is compared. `in` is `exact`, and `not_in` is `is_not`. Default: `"exact"`.
             * @enum {string}
             */
            operator?: "exact" | "is_not" | "icontains" | "not_icontains" | "regex" | "not_regex" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "is_set" | "is_not_set" | "is_date_exact" | "is_date_before" | "is_date_after" | "in" | "not_in";
            /**
             * @description A value, or a list: the filter holds if any of them matches, or with a negative operator if none does. `between` and `not_between` have two; `is_set` and `is_not_set` need none.
             * @example [
             *       "pro"
             *     ]
             */
            value?: components["schemas"]["FilterValue"] | components["schemas"]["FilterValue"][];
            /** @description Inverts the filter. Default: `false`. */
            negation?: boolean;
        };
        /** @description A filter on a property of the person. */
        PersonPropertyFilter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "person";
            /**
             * @description The key of the property.
             * @example plan
             */
            key: string;
            /**
             * @description How the property is compared. `in` is `exact`, and `not_in` is `is_not`. Default: `"exact"`.
             * @enum {string}
             */
            operator?: "exact" | "is_not" | "icontains" | "not_icontains" | "regex" | "not_regex" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "is_set" | "is_not_set" | "is_date_exact" | "is_date_before" | "is_date_after" | "in" | "not_in";
            /**
             * @description A value, or a list: the filter holds if any of them matches, or with a negative operator if none does. `between` and `not_between` have two; `is_set` and `is_not_set` need none.
             * @example [
             *       "pro"
             *     ]
             */
            value?: components["schemas"]["FilterValue"] | components["schemas"]["FilterValue"][];
            /** @description Inverts the filter. Default: `false`. */
            negation?: boolean;
        };
        /** @description A filter on a column of the event itself. */
        EventMetadataFilter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event_metadata";
            /**
             * @example timestamp
             * @enum {string}
             */
            key: "timestamp" | "distinct_id" | "event";
            /**
             * @description How the property is compared. `in` is `exact`, and `not_in` is `is_not`. Default: `"exact"`.
             * @enum {string}
             */
            operator?: "exact" | "is_not" | "icontains" | "not_icontains" | "regex" | "not_regex" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "is_set" | "is_not_set" | "is_date_exact" | "is_date_before" | "is_date_after" | "in" | "not_in";
            /**
             * @description A value, or a list: the filter holds if any of them matches, or with a negative operator if none does. `between` and `not_between` have two; `is_set` and `is_not_set` need none.
             * @example [
             *       "pro"
             *     ]
             */
            value?: components["schemas"]["FilterValue"] | components["schemas"]["FilterValue"][];
            /** @description Inverts the filter. Default: `false`. */
            negation?: boolean;
        };
        /** @description A filter on the membership in a cohort. */
        CohortFilter: {
            /**
             * @description All of them mean the same. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cohort" | "static-cohort" | "dynamic-cohort" | "precalculated-cohort";
            /** @enum {string} */
            key?: "id";
            /** @enum {string} */
            operator?: "in" | "not_in" | "exact" | "is_not";
            /**
             * @description The id of a cohort, or a list: membership in any of them.
             * @example 3
             */
            value: number | number[];
            /** @description Inverts the filter. Default: `false`. */
            negation?: boolean;
            /**
             * @description With `event`, in trends only: whether the person was in the cohort at the time of the event. Without it: whether the person is in the cohort now.
             * @enum {string}
             */
            at?: "event";
        };
        /** @description A filter on a property of the group that the event names, such as its company. */
        GroupPropertyFilter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "group";
            /**
             * @description The index of a type of groups, as `groups_types` lists them.
             * @example 0
             */
            group_type_index: number;
            /**
             * @description The key of the property. `$group_key` is the key of the group itself.
             * @example plan
             */
            key: string;
            /**
             * @description How the property is compared. `in` is `exact`, and `not_in` is `is_not`. Default: `"exact"`.
             * @enum {string}
             */
            operator?: "exact" | "is_not" | "icontains" | "not_icontains" | "regex" | "not_regex" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "is_set" | "is_not_set" | "is_date_exact" | "is_date_before" | "is_date_after" | "in" | "not_in";
            /**
             * @description A value, or a list: the filter holds if any of them matches, or with a negative operator if none does. `between` and `not_between` have two; `is_set` and `is_not_set` need none.
             * @example [
             *       "pro"
             *     ]
             */
            value?: components["schemas"]["FilterValue"] | components["schemas"]["FilterValue"][];
            /** @description Inverts the filter. Default: `false`. */
            negation?: boolean;
        };
        /** @description A filter on a property: of the event in insights, of the person where filters select persons. */
        UntypedFilter: {
            /**
             * @description The key of the property.
             * @example plan
             */
            key: string;
            /**
             * @description How the property is compared. `in` is `exact`, and `not_in` is `is_not`. Default: `"exact"`.
             * @enum {string}
             */
            operator?: "exact" | "is_not" | "icontains" | "not_icontains" | "regex" | "not_regex" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "is_set" | "is_not_set" | "is_date_exact" | "is_date_before" | "is_date_after" | "in" | "not_in";
            /**
             * @description A value, or a list: the filter holds if any of them matches, or with a negative operator if none does. `between` and `not_between` have two; `is_set` and `is_not_set` need none.
             * @example [
             *       "pro"
             *     ]
             */
            value?: components["schemas"]["FilterValue"] | components["schemas"]["FilterValue"][];
            /** @description Inverts the filter. Default: `false`. */
            negation?: boolean;
        };
        TypedInsightFilter: components["schemas"]["EventPropertyFilter"] | components["schemas"]["PersonPropertyFilter"] | components["schemas"]["CohortFilter"] | components["schemas"]["EventMetadataFilter"] | components["schemas"]["GroupPropertyFilter"];
        InsightFilter: components["schemas"]["TypedInsightFilter"] | components["schemas"]["UntypedFilter"];
        InsightFilterGroup: {
            /**
             * @description Whether all parts must hold, or at least one.
             * @enum {string}
             */
            type: "AND" | "OR";
            /**
             * @description Either leaves or groups.
             * @example [
             *       {
             *         "type": "event",
             *         "key": "plan",
             *         "operator": "exact",
             *         "value": [
             *           "pro"
             *         ]
             *       }
             *     ]
             */
            values: components["schemas"]["InsightFilter"][] | components["schemas"]["InsightFilterGroup"][];
        };
        /** @description Filters on events, their persons, groups and cohorts. A filter without a type is one on the event. A list, all of which must hold, or a group. */
        InsightFilters: components["schemas"]["InsightFilter"][] | components["schemas"]["InsightFilterGroup"];
        TypedPersonFilter: components["schemas"]["PersonPropertyFilter"] | components["schemas"]["CohortFilter"];
        PersonFilter: components["schemas"]["TypedPersonFilter"] | components["schemas"]["UntypedFilter"];
        PersonFilterGroup: {
            /**
             * @description Whether all parts must hold, or at least one.
             * @enum {string}
             */
            type: "AND" | "OR";
            /**
             * @description Either leaves or groups.
             * @example [
             *       {
             *         "type": "person",
             *         "key": "plan",
             *         "operator": "exact",
             *         "value": [
             *           "pro"
             *         ]
             *       }
             *     ]
             */
            values: components["schemas"]["PersonFilter"][] | components["schemas"]["PersonFilterGroup"][];
        };
        /** @description Filters on persons and cohorts. A filter without a type is one on the person. A list, all of which must hold, or a group. */
        PersonFilters: components["schemas"]["PersonFilter"][] | components["schemas"]["PersonFilterGroup"];
        TypedEventFilter: components["schemas"]["EventPropertyFilter"] | components["schemas"]["EventMetadataFilter"];
        EventFilter: components["schemas"]["TypedEventFilter"] | components["schemas"]["UntypedFilter"];
        EventFilterGroup: {
            /**
             * @description Whether all parts must hold, or at least one.
             * @enum {string}
             */
            type: "AND" | "OR";
            /**
             * @description Either leaves or groups.
             * @example [
             *       {
             *         "type": "event",
             *         "key": "plan",
             *         "operator": "exact",
             *         "value": [
             *           "pro"
             *         ]
             *       }
             *     ]
             */
            values: components["schemas"]["EventFilter"][] | components["schemas"]["EventFilterGroup"][];
        };
        /** @description Filters on the event alone. A filter without a type is one on the event. A list, all of which must hold, or a group. */
        EventFilters: components["schemas"]["EventFilter"][] | components["schemas"]["EventFilterGroup"];
        /** @description A criterion about events. The person did it at least once in the time. */
        PerformedEvent: {
            /** @enum {string} */
            type: "behavioral";
            /**
             * @description What the person did: the name of an event, or the id of an action.
             * @example signed up
             */
            key: string | number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            value: "performed_event";
            /**
             * @description What `key` names. Default: `"events"`.
             * @enum {string}
             */
            event_type?: "events" | "actions";
            /** @description Inverts the criterion. Default: `false`. */
            negation?: boolean;
            /** @description Only events that pass these filters count. */
            event_filters?: components["schemas"]["EventFilters"];
            /**
             * @description A group of this type did it to which the person belongs: one of its events names the group.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The length of the time until now, in `time_interval`.
             * @example 30
             */
            time_value?: number;
            /**
             * @description The unit of `time_value`.
             * @example day
             * @enum {string}
             */
            time_interval?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.
             * @example 2026-01-01
             */
            explicit_datetime?: string;
            /**
             * @description With `explicit_datetime`: the end; now by default.
             * @example 2026-02-01
             */
            explicit_datetime_to?: string;
        };
        /** @description A criterion about events. The person did it as often as `operator` and `operator_value` say. */
        PerformedEventMultiple: {
            /** @enum {string} */
            type: "behavioral";
            /**
             * @description What the person did: the name of an event, or the id of an action.
             * @example signed up
             */
            key: string | number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            value: "performed_event_multiple";
            /**
             * @description What `key` names. Default: `"events"`.
             * @enum {string}
             */
            event_type?: "events" | "actions";
            /** @description Inverts the criterion. Default: `false`. */
            negation?: boolean;
            /** @description Only events that pass these filters count. */
            event_filters?: components["schemas"]["EventFilters"];
            /**
             * @description A group of this type did it to which the person belongs: one of its events names the group.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The length of the time until now, in `time_interval`.
             * @example 30
             */
            time_value?: number;
            /**
             * @description The unit of `time_value`.
             * @example day
             * @enum {string}
             */
            time_interval?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.
             * @example 2026-01-01
             */
            explicit_datetime?: string;
            /**
             * @description With `explicit_datetime`: the end; now by default.
             * @example 2026-02-01
             */
            explicit_datetime_to?: string;
            /**
             * @description How the number of events is compared with `operator_value`; exactly without an operator. Default: `"eq"`.
             * @enum {string}
             */
            operator?: "eq" | "exact" | "gt" | "gte" | "lt" | "lte";
            /**
             * @description A number of events.
             * @example 3
             */
            operator_value: number;
        };
        /** @description A criterion about events. The person did it for the first time ever in the time. */
        PerformedEventFirstTime: {
            /** @enum {string} */
            type: "behavioral";
            /**
             * @description What the person did: the name of an event, or the id of an action.
             * @example signed up
             */
            key: string | number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            value: "performed_event_first_time";
            /**
             * @description What `key` names. Default: `"events"`.
             * @enum {string}
             */
            event_type?: "events" | "actions";
            /** @description Inverts the criterion. Default: `false`. */
            negation?: boolean;
            /** @description Only events that pass these filters count. */
            event_filters?: components["schemas"]["EventFilters"];
            /**
             * @description A group of this type did it to which the person belongs: one of its events names the group.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The length of the time until now, in `time_interval`.
             * @example 30
             */
            time_value?: number;
            /**
             * @description The unit of `time_value`.
             * @example day
             * @enum {string}
             */
            time_interval?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.
             * @example 2026-01-01
             */
            explicit_datetime?: string;
            /**
             * @description With `explicit_datetime`: the end; now by default.
             * @example 2026-02-01
             */
            explicit_datetime_to?: string;
        };
        /** @description A criterion about events. The person did it, and then `seq_event` within `seq_time_value`. */
        PerformedEventSequence: {
            /** @enum {string} */
            type: "behavioral";
            /**
             * @description What the person did: the name of an event, or the id of an action.
             * @example signed up
             */
            key: string | number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            value: "performed_event_sequence";
            /**
             * @description What `key` names. Default: `"events"`.
             * @enum {string}
             */
            event_type?: "events" | "actions";
            /** @description Inverts the criterion. Default: `false`. */
            negation?: boolean;
            /** @description Only events that pass these filters count. */
            event_filters?: components["schemas"]["EventFilters"];
            /**
             * @description A group of this type did it to which the person belongs: one of its events names the group.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The length of the time until now, in `time_interval`.
             * @example 30
             */
            time_value?: number;
            /**
             * @description The unit of `time_value`.
             * @example day
             * @enum {string}
             */
            time_interval?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.
             * @example 2026-01-01
             */
            explicit_datetime?: string;
            /**
             * @description With `explicit_datetime`: the end; now by default.
             * @example 2026-02-01
             */
            explicit_datetime_to?: string;
            /**
             * @description In `seq_time_interval`: a length of time.
             * @example 7
             */
            seq_time_value: number;
            /**
             * @description The unit of `seq_time_value`.
             * @example day
             * @enum {string}
             */
            seq_time_interval: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description The event that follows: the name of an event, or the id of an action.
             * @example paid
             */
            seq_event: string | number;
            /**
             * @description What `seq_event` names. Default: `"events"`.
             * @enum {string}
             */
            seq_event_type?: "events" | "actions";
            /** @description Filters on the event that follows. */
            seq_event_filters?: components["schemas"]["EventFilters"];
        };
        /** @description A criterion about events. The person did it as often as `operator` and `operator_value` say in at least `min_periods` of `total_periods` periods. */
        PerformedEventRegularly: {
            /** @enum {string} */
            type: "behavioral";
            /**
             * @description What the person did: the name of an event, or the id of an action.
             * @example signed up
             */
            key: string | number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            value: "performed_event_regularly";
            /**
             * @description What `key` names. Default: `"events"`.
             * @enum {string}
             */
            event_type?: "events" | "actions";
            /** @description Inverts the criterion. Default: `false`. */
            negation?: boolean;
            /** @description Only events that pass these filters count. */
            event_filters?: components["schemas"]["EventFilters"];
            /**
             * @description A group of this type did it to which the person belongs: one of its events names the group.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The length of the time until now, in `time_interval`.
             * @example 30
             */
            time_value: number;
            /**
             * @description The unit of `time_value`.
             * @example day
             * @enum {string}
             */
            time_interval: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description How the number of events is compared with `operator_value`; exactly without an operator. Default: `"eq"`.
             * @enum {string}
             */
            operator?: "eq" | "exact" | "gt" | "gte" | "lt" | "lte";
            /**
             * @description A number of events.
             * @example 3
             */
            operator_value: number;
            /**
             * @description The number of periods in which it must have happened.
             * @example 3
             */
            min_periods: number;
            /**
             * @description The number of periods, each as long as `time_value`, counted back from now.
             * @example 4
             */
            total_periods: number;
        };
        /** @description A criterion about events. The person did it in the time, but not in its last part, `seq_time_value`. */
        StoppedPerformingEvent: {
            /** @enum {string} */
            type: "behavioral";
            /**
             * @description What the person did: the name of an event, or the id of an action.
             * @example signed up
             */
            key: string | number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            value: "stopped_performing_event";
            /**
             * @description What `key` names. Default: `"events"`.
             * @enum {string}
             */
            event_type?: "events" | "actions";
            /** @description Inverts the criterion. Default: `false`. */
            negation?: boolean;
            /** @description Only events that pass these filters count. */
            event_filters?: components["schemas"]["EventFilters"];
            /**
             * @description A group of this type did it to which the person belongs: one of its events names the group.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The length of the time until now, in `time_interval`.
             * @example 30
             */
            time_value?: number;
            /**
             * @description The unit of `time_value`.
             * @example day
             * @enum {string}
             */
            time_interval?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.
             * @example 2026-01-01
             */
            explicit_datetime?: string;
            /**
             * @description With `explicit_datetime`: the end; now by default.
             * @example 2026-02-01
             */
            explicit_datetime_to?: string;
            /**
             * @description In `seq_time_interval`: a length of time.
             * @example 7
             */
            seq_time_value: number;
            /**
             * @description The unit of `seq_time_value`.
             * @example day
             * @enum {string}
             */
            seq_time_interval: "minute" | "hour" | "day" | "week" | "month" | "year";
        };
        /** @description A criterion about events. The person did it before the time and in its last part, `seq_time_value`, but not in between. */
        RestartedPerformingEvent: {
            /** @enum {string} */
            type: "behavioral";
            /**
             * @description What the person did: the name of an event, or the id of an action.
             * @example signed up
             */
            key: string | number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            value: "restarted_performing_event";
            /**
             * @description What `key` names. Default: `"events"`.
             * @enum {string}
             */
            event_type?: "events" | "actions";
            /** @description Inverts the criterion. Default: `false`. */
            negation?: boolean;
            /** @description Only events that pass these filters count. */
            event_filters?: components["schemas"]["EventFilters"];
            /**
             * @description A group of this type did it to which the person belongs: one of its events names the group.
             * @example 0
             */
            group_type_index?: number;
            /**
             * @description The length of the time until now, in `time_interval`.
             * @example 30
             */
            time_value?: number;
            /**
             * @description The unit of `time_value`.
             * @example day
             * @enum {string}
             */
            time_interval?: "minute" | "hour" | "day" | "week" | "month" | "year";
            /**
             * @description In place of `time_value` and `time_interval`: the beginning, an ISO date or a relative one such as `-7d`.
             * @example 2026-01-01
             */
            explicit_datetime?: string;
            /**
             * @description With `explicit_datetime`: the end; now by default.
             * @example 2026-02-01
             */
            explicit_datetime_to?: string;
            /**
             * @description In `seq_time_interval`: a length of time.
             * @example 7
             */
            seq_time_value: number;
            /**
             * @description The unit of `seq_time_value`.
             * @example day
             * @enum {string}
             */
            seq_time_interval: "minute" | "hour" | "day" | "week" | "month" | "year";
        };
        /** @description A criterion about the events of a person; `value` says which of the seven. */
        EventCriterion: components["schemas"]["PerformedEvent"] | components["schemas"]["PerformedEventMultiple"] | components["schemas"]["PerformedEventFirstTime"] | components["schemas"]["PerformedEventSequence"] | components["schemas"]["PerformedEventRegularly"] | components["schemas"]["StoppedPerformingEvent"] | components["schemas"]["RestartedPerformingEvent"];
        /** @description A criterion: a filter on the person or on a group to which the person belongs, the membership in another cohort, or what the person or a group did. */
        CohortCriterion: components["schemas"]["EventCriterion"] | components["schemas"]["PersonFilter"] | components["schemas"]["GroupPropertyFilter"];
        CohortGroup: {
            /**
             * @description Whether all parts must hold, or at least one.
             * @enum {string}
             */
            type: "AND" | "OR";
            /**
             * @description Either leaves or groups.
             * @example [
             *       {
             *         "type": "person",
             *         "key": "plan",
             *         "operator": "exact",
             *         "value": [
             *           "pro"
             *         ]
             *       }
             *     ]
             */
            values: components["schemas"]["CohortCriterion"][] | components["schemas"]["CohortGroup"][];
        };
        /** @description The definition of a dynamic cohort. */
        CohortDefinition: {
            properties: components["schemas"]["CohortGroup"];
        };
        /** @description A group of the oldest form of a definition. */
        LegacyCohortGroup: {
            /** @description Filters on the person; the type `event`, which old clients write, means `person` here. */
            properties?: components["schemas"]["PersonFilters"];
            /**
             * @description The name of an event.
             * @example signed up
             */
            event_id?: string | null;
            /**
             * @description The id of an action.
             * @example null
             */
            action_id?: number | null;
            /**
             * @description The last days; 365 by default.
             * @example 30
             */
            days?: number | null;
            /**
             * @description How often; once by default.
             * @example 1
             */
            count?: number | null;
            /**
             * @description How `count` is compared.
             * @example gte
             * @enum {string}
             */
            count_operator?: "eq" | "exact" | "gt" | "gte" | "lt" | "lte";
            /**
             * @description In place of `days`: the beginning.
             * @example null
             */
            start_date?: string | null;
            /**
             * @description With `start_date`: the end.
             * @example null
             */
            end_date?: string | null;
        };
        /** @description A question in SQL with values for its placeholders. */
        SqlQuery: {
            /** @enum {string} */
            kind: "HogQLQuery";
            /**
             * @description A SELECT.
             * @example select id from persons where properties.plan = 'pro'
             */
            query: string;
            /**
             * @description Values for the placeholders, such as `{plan}`.
             * @example {
             *       "plan": "pro"
             *     }
             */
            values?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A question in SQL inside of what shows its answer. */
        SqlQueryNode: {
            /** @enum {string} */
            kind: "DataTableNode" | "DataVisualizationNode";
            source: components["schemas"]["SqlQuery"];
        } & {
            [key: string]: unknown;
        };
        EntityPart: {
            /**
             * @description The name of the event; null is any event.
             * @example signed up
             */
            id: string | null;
            /**
             * @description For the reader.
             * @example Signed up
             */
            name?: string;
            /** @enum {string} */
            type?: "events";
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
        };
        /** @description An event. */
        Event: {
            /**
             * @description The name of the event; null is any event.
             * @example signed up
             */
            id: string | null;
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
        };
        /** @description A saved action. */
        SavedAction: {
            /**
             * @description The id of the action.
             * @example 7
             */
            id: number;
            /** @enum {string} */
            type: "actions";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
        };
        /** @description Several events that count as one. */
        AnyOf: {
            /**
             * @description Null or absent.
             * @example null
             */
            id?: null;
            /**
             * @description It matches if one part does.
             * @example [
             *       {
             *         "id": "signed up"
             *       },
             *       {
             *         "id": "invited"
             *       }
             *     ]
             */
            any_of: components["schemas"]["EntityPart"][];
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls them.
             * @example Joined
             */
            name: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
        };
        /** @description What is counted: an event, a saved action, or several events as one. */
        Entity: components["schemas"]["Event"] | components["schemas"]["SavedAction"] | components["schemas"]["AnyOf"];
        /** @description A saved action, which needs no `type` here. */
        NamedAction: {
            /**
             * @description The id of the action.
             * @example 7
             */
            id: number;
            /** @enum {string} */
            type?: "actions";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
        };
        /** @description An event. */
        TrendsEvent: {
            /**
             * @description The name of the event; null is any event.
             * @example signed up
             */
            id: string | null;
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description What is counted of it. Default: `"total"`.
             * @enum {string}
             */
            math?: "total" | "dau" | "unique_session" | "weekly_active" | "monthly_active" | "first_time_for_user" | "unique_group" | "sum" | "avg" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor";
            /**
             * @description The property of which `math` makes a number.
             * @example price
             */
            math_property?: string;
            /**
             * @description The type of the groups that `unique_group` counts; other maths ignore it.
             * @example 0
             */
            math_group_type_index?: number;
        };
        /** @description A saved action. */
        TrendsSavedAction: {
            /**
             * @description The id of the action.
             * @example 7
             */
            id: number;
            /** @enum {string} */
            type: "actions";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description What is counted of it. Default: `"total"`.
             * @enum {string}
             */
            math?: "total" | "dau" | "unique_session" | "weekly_active" | "monthly_active" | "first_time_for_user" | "unique_group" | "sum" | "avg" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor";
            /**
             * @description The property of which `math` makes a number.
             * @example price
             */
            math_property?: string;
            /**
             * @description The type of the groups that `unique_group` counts; other maths ignore it.
             * @example 0
             */
            math_group_type_index?: number;
        };
        /** @description Several events that count as one. */
        TrendsAnyOf: {
            /**
             * @description Null or absent.
             * @example null
             */
            id?: null;
            /**
             * @description It matches if one part does.
             * @example [
             *       {
             *         "id": "signed up"
             *       },
             *       {
             *         "id": "invited"
             *       }
             *     ]
             */
            any_of: components["schemas"]["EntityPart"][];
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls them.
             * @example Joined
             */
            name: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description What is counted of it. Default: `"total"`.
             * @enum {string}
             */
            math?: "total" | "dau" | "unique_session" | "weekly_active" | "monthly_active" | "first_time_for_user" | "unique_group" | "sum" | "avg" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor";
            /**
             * @description The property of which `math` makes a number.
             * @example price
             */
            math_property?: string;
            /**
             * @description The type of the groups that `unique_group` counts; other maths ignore it.
             * @example 0
             */
            math_group_type_index?: number;
        };
        /** @description What is counted: an event, a saved action, or several events as one. */
        TrendsEntity: components["schemas"]["TrendsEvent"] | components["schemas"]["TrendsSavedAction"] | components["schemas"]["TrendsAnyOf"];
        /** @description A saved action, which needs no `type` here. */
        TrendsNamedAction: {
            /**
             * @description The id of the action.
             * @example 7
             */
            id: number;
            /** @enum {string} */
            type?: "actions";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description What is counted of it. Default: `"total"`.
             * @enum {string}
             */
            math?: "total" | "dau" | "unique_session" | "weekly_active" | "monthly_active" | "first_time_for_user" | "unique_group" | "sum" | "avg" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor";
            /**
             * @description The property of which `math` makes a number.
             * @example price
             */
            math_property?: string;
            /**
             * @description The type of the groups that `unique_group` counts; other maths ignore it.
             * @example 0
             */
            math_group_type_index?: number;
        };
        /** @description An event. */
        StepEvent: {
            /**
             * @description The name of the event; null is any event.
             * @example signed up
             */
            id: string | null;
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description True: persons may skip the step. Default: `false`.
             * @example false
             */
            optional_in_funnel?: boolean;
        };
        /** @description A saved action. */
        StepSavedAction: {
            /**
             * @description The id of the action.
             * @example 7
             */
            id: number;
            /** @enum {string} */
            type: "actions";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description True: persons may skip the step. Default: `false`.
             * @example false
             */
            optional_in_funnel?: boolean;
        };
        /** @description Several events that count as one. */
        StepAnyOf: {
            /**
             * @description Null or absent.
             * @example null
             */
            id?: null;
            /**
             * @description It matches if one part does.
             * @example [
             *       {
             *         "id": "signed up"
             *       },
             *       {
             *         "id": "invited"
             *       }
             *     ]
             */
            any_of: components["schemas"]["EntityPart"][];
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls them.
             * @example Joined
             */
            name: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description True: persons may skip the step. Default: `false`.
             * @example false
             */
            optional_in_funnel?: boolean;
        };
        /** @description What is counted: an event, a saved action, or several events as one. */
        StepEntity: components["schemas"]["StepEvent"] | components["schemas"]["StepSavedAction"] | components["schemas"]["StepAnyOf"];
        /** @description A saved action, which needs no `type` here. */
        StepNamedAction: {
            /**
             * @description The id of the action.
             * @example 7
             */
            id: number;
            /** @enum {string} */
            type?: "actions";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description True: persons may skip the step. Default: `false`.
             * @example false
             */
            optional_in_funnel?: boolean;
        };
        /** @description An event. */
        ExclusionEvent: {
            /**
             * @description The name of the event; null is any event.
             * @example signed up
             */
            id: string | null;
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description The index of the step after which it spoils the attempt, from 0.
             * @example 0
             */
            funnel_from_step?: number;
            /**
             * @description The index of the step before which it does; the last one by default.
             * @example 1
             */
            funnel_to_step?: number;
        };
        /** @description A saved action. */
        ExclusionSavedAction: {
            /**
             * @description The id of the action.
             * @example 7
             */
            id: number;
            /** @enum {string} */
            type: "actions";
            /**
             * @description What the answer calls it.
             * @example Signed up
             */
            name?: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description The index of the step after which it spoils the attempt, from 0.
             * @example 0
             */
            funnel_from_step?: number;
            /**
             * @description The index of the step before which it does; the last one by default.
             * @example 1
             */
            funnel_to_step?: number;
        };
        /** @description Several events that count as one. */
        ExclusionAnyOf: {
            /**
             * @description Null or absent.
             * @example null
             */
            id?: null;
            /**
             * @description It matches if one part does.
             * @example [
             *       {
             *         "id": "signed up"
             *       },
             *       {
             *         "id": "invited"
             *       }
             *     ]
             */
            any_of: components["schemas"]["EntityPart"][];
            /** @enum {string} */
            type?: "events";
            /**
             * @description What the answer calls them.
             * @example Joined
             */
            name: string;
            /**
             * @description Another name of `name`.
             * @example Signed up
             */
            custom_name?: string;
            /**
             * @description Its index; the index in the list by default.
             * @example 0
             */
            order?: number;
            /** @description Only events that pass these filters count. */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description The index of the step after which it spoils the attempt, from 0.
             * @example 0
             */
            funnel_from_step?: number;
            /**
             * @description The index of the step before which it does; the last one by default.
             * @example 1
             */
            funnel_to_step?: number;
        };
        /** @description What is counted: an event, a saved action, or several events as one. */
        ExclusionEntity: components["schemas"]["ExclusionEvent"] | components["schemas"]["ExclusionSavedAction"] | components["schemas"]["ExclusionAnyOf"];
        /** @description The values of a property of events. */
        EventBreakdown: {
            /**
             * @description A key.
             * @example $browser
             */
            property: string;
            /** @enum {string} */
            type?: "event";
            /**
             * @description As `breakdown_normalize_url`, for this entry.
             * @example false
             */
            normalize_url?: boolean;
            /**
             * @description As `breakdown_histogram_bin_count`, for this entry.
             * @example 10
             */
            histogram_bin_count?: number;
        };
        /** @description The values of a property of persons. */
        PersonBreakdown: {
            /**
             * @description A key.
             * @example $browser
             */
            property: string;
            /** @enum {string} */
            type: "person";
            /**
             * @description As `breakdown_normalize_url`, for this entry.
             * @example false
             */
            normalize_url?: boolean;
            /**
             * @description As `breakdown_histogram_bin_count`, for this entry.
             * @example 10
             */
            histogram_bin_count?: number;
        };
        /** @description The values of the membership in cohorts. */
        CohortBreakdown: {
            /**
             * @example [
             *       3,
             *       "all"
             *     ]
             */
            property: (number | "all") | (number | "all")[];
            /** @enum {string} */
            type: "cohort";
            /**
             * @description As `breakdown_normalize_url`, for this entry.
             * @example false
             */
            normalize_url?: boolean;
            /**
             * @description As `breakdown_histogram_bin_count`, for this entry.
             * @example 10
             */
            histogram_bin_count?: number;
            /**
             * @description With `event`, in trends only: whether the person was in the cohort at the time of the event. Without it: whether the person is in the cohort now.
             * @enum {string}
             */
            at?: "event";
        };
        /** @description The values of a property of the groups that events name. */
        GroupBreakdown: {
            /**
             * @description A key.
             * @example $browser
             */
            property: string;
            /** @enum {string} */
            type: "group";
            /**
             * @description As `breakdown_normalize_url`, for this entry.
             * @example false
             */
            normalize_url?: boolean;
            /**
             * @description As `breakdown_histogram_bin_count`, for this entry.
             * @example 10
             */
            histogram_bin_count?: number;
            /**
             * @description The index of a type of groups, as `groups_types` lists them.
             * @example 0
             */
            group_type_index: number;
        };
        Breakdown: components["schemas"]["EventBreakdown"] | components["schemas"]["PersonBreakdown"] | components["schemas"]["CohortBreakdown"] | components["schemas"]["GroupBreakdown"];
        CleaningRule: {
            /**
             * @description An RE2 expression.
             * @example \?.*
             */
            regex: string;
            /**
             * @description What replaces a match.
             * @example
             */
            alias?: string;
        };
        FunnelQuestion: {
            /**
             * @description The steps, at most 20 with those of `actions`, sorted by `order`: a list of `{"id":"signed up"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. Each step may have `name`, `order`, `properties`, and `optional_in_funnel`: persons may skip such a step, so that later steps and times are about the steps around it; its own count is of persons who took it between them. For steps in order, seen as steps.
             * @example [
             *       {
             *         "id": "$pageview"
             *       },
             *       {
             *         "id": "signed up"
             *       },
             *       {
             *         "id": "paid"
             *       }
             *     ]
             */
            events?: components["schemas"]["StepEntity"][];
            /**
             * @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event.
             * @example []
             */
            actions?: components["schemas"]["StepNamedAction"][];
            /**
             * @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. Default: `"-7d"`.
             * @example -30d
             */
            date_from?: string;
            /**
             * @description Like `date_from`; a date includes the whole day.
             * @example now
             */
            date_to?: string;
            /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. Default: `false`. */
            explicit_date?: boolean;
            /**
             * @description Length of one point of the time axis. Default: `"day"`.
             * @enum {string}
             */
            interval?: "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000.
             * @example []
             */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups.
             * @example 0
             */
            aggregation_group_type_index?: number;
            /** @description Adds the project’s `test_account_filters`. Default: `false`. */
            filter_test_accounts?: boolean;
            /**
             * @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id.
             * @example
             */
            search?: string;
            /**
             * @description Only one half of the answer: the `insight`, or the envelope of `persons`.
             * @enum {string}
             */
            include?: "insight" | "persons";
            /** @description Persons per page. Default: `100`. */
            limit?: number;
            /** @description Persons to skip. Default: `0`. */
            offset?: number;
            /**
             * @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. Default: `"json"`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order. Default: `"ordered"`.
             * @example ordered
             * @enum {string}
             */
            funnel_order_type?: "ordered" | "strict" | "unordered";
            /**
             * @description The longest time from the first step to the last step, inclusive; 14 days by default.
             * @example 14
             */
            funnel_window_interval?: number;
            /**
             * @description Unit of the window; a month is 30 days. Default: `"day"`.
             * @example day
             * @enum {string}
             */
            funnel_window_interval_unit?: "second" | "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description The window in days, without `funnel_window_interval`. Default: `14`.
             * @example 14
             */
            funnel_window_days?: number;
            /**
             * @description Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of `{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}`, 10 at most.
             * @example [
             *       {
             *         "id": "invited teammate",
             *         "funnel_from_step": 0,
             *         "funnel_to_step": 1
             *       }
             *     ]
             */
            exclusions?: components["schemas"]["ExclusionEntity"][];
            /**
             * @description A property key or a list of at most 5 keys; for cohorts a list of at most 25 ids. `all` means all persons.
             * @example $browser
             */
            breakdown?: string | number | (string | number)[];
            /**
             * @description The source of the property. Default: `"event"`.
             * @enum {string}
             */
            breakdown_type?: "event" | "person" | "cohort" | "group";
            /**
             * @description With `breakdown_type=group`: the type of the groups.
             * @example 0
             */
            breakdown_group_type_index?: number;
            /**
             * @description In place of `breakdown`: at most 5 properties of different types, `{"property":"$browser","type":"event"}`. With type `cohort`, `property` is an id, `all` or a list of them, and a person has each cohort it is in as a value; persons in none of them do not count. All cohorts together have at most 25 combinations. In trends `"at":"event"` beside it means the cohorts that the person was in at the time of the event. An entry may have `normalize_url` and `histogram_bin_count` of its own.
             * @example []
             */
            breakdowns?: components["schemas"]["Breakdown"][];
            /**
             * @description Only persons with this value, a list of values for several properties; `""` is a missing property.
             * @example
             */
            breakdown_value?: string | string[];
            /** @description Number of values: the most frequent ones. All others become "Other". Without this parameter a histogram has all of its bins. Default: `25`. */
            breakdown_limit?: number;
            /**
             * @description Leaves out `/`, `?` and `#` at the end of values, so that `/pricing/` and `/pricing?` are `/pricing`; what is empty then is `/`. Default: `false`.
             * @example false
             */
            breakdown_normalize_url?: boolean;
            /**
             * @description Splits by this many bins of equal width, from the lowest to the highest number of the property among the events of the question. A value is `[10.0,17.5]`, its first bound included and its second one not; bounds are rounded down to two decimals (more for narrow bins), and the last one lies above the highest number. Values that are no numbers are missing values.
             * @example 1
             */
            breakdown_histogram_bin_count?: number;
            /**
             * @description Which event of a person gives the value: the first or the last event with a value, every event, or the event of a step. Default: `"first_touch"`.
             * @example first_touch
             * @enum {string}
             */
            breakdown_attribution_type?: "first_touch" | "last_touch" | "all_events" | "step";
            /**
             * @description With attribution by step: the index of the step, from 0. Default: `0`.
             * @example 0
             */
            breakdown_attribution_value?: number;
            /**
             * @description steps: persons by step; time_to_convert: persons by time taken; trends: conversion by interval of entry. Default: `"steps"`.
             * @example steps
             * @enum {string}
             */
            funnel_viz_type?: "steps" | "time_to_convert" | "trends";
            /**
             * @description time_to_convert and trends: index of the first step, from 0. Default: `0`.
             * @example 0
             */
            funnel_from_step?: number;
            /**
             * @description time_to_convert and trends: index of the last step, from 0; the last step of the funnel by default.
             * @example 1
             */
            funnel_to_step?: number;
            /**
             * @description time_to_convert: number of bins; the cube root of the number of persons by default.
             * @example 10
             */
            bin_count?: number;
            /**
             * @description n: persons who reached step n, from 1; -n: persons who took all steps before step n, but not step n. Default: `1`.
             * @example 1
             */
            funnel_step?: number;
            /**
             * @description Persons whose last step has one of these numbers; replaces `funnel_step`.
             * @example [
             *       1,
             *       2
             *     ]
             */
            funnel_custom_steps?: number[];
            /**
             * @description Another name of `breakdown_value`.
             * @example Chrome
             */
            funnel_step_breakdown?: string | string[];
            /**
             * @description trends: persons who entered in the interval that contains this moment.
             * @example -1d
             */
            entrance_period_start?: string;
            /**
             * @description time_to_convert: persons who took at least so many seconds: `from` of a bin.
             * @example 3600
             */
            conversion_time_from?: number;
            /**
             * @description time_to_convert: persons who took less than so many seconds: `to` of a bin; without it also those of the last bin’s end.
             * @example 7200
             */
            conversion_time_to?: number;
            /**
             * @description With `entrance_period_start`: the persons who did not convert instead of those who did. Default: `false`.
             * @example false
             */
            drop_off?: boolean;
        };
        CorrelationQuestion: {
            /**
             * @description The steps, at most 20 with those of `actions`, sorted by `order`: a list of `{"id":"signed up"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. Each step may have `name`, `order`, `properties`, and `optional_in_funnel`: persons may skip such a step, so that later steps and times are about the steps around it; its own count is of persons who took it between them. For steps in order, seen as steps.
             * @example [
             *       {
             *         "id": "$pageview"
             *       },
             *       {
             *         "id": "signed up"
             *       },
             *       {
             *         "id": "paid"
             *       }
             *     ]
             */
            events?: components["schemas"]["StepEntity"][];
            /**
             * @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event.
             * @example []
             */
            actions?: components["schemas"]["StepNamedAction"][];
            /**
             * @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. Default: `"-7d"`.
             * @example -30d
             */
            date_from?: string;
            /**
             * @description Like `date_from`; a date includes the whole day.
             * @example now
             */
            date_to?: string;
            /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. Default: `false`. */
            explicit_date?: boolean;
            /**
             * @description Length of one point of the time axis. Default: `"day"`.
             * @enum {string}
             */
            interval?: "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000.
             * @example []
             */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups.
             * @example 0
             */
            aggregation_group_type_index?: number;
            /** @description Adds the project’s `test_account_filters`. Default: `false`. */
            filter_test_accounts?: boolean;
            /**
             * @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id.
             * @example
             */
            search?: string;
            /**
             * @description Only one half of the answer: the `insight`, or the envelope of `persons`.
             * @enum {string}
             */
            include?: "insight" | "persons";
            /** @description Persons per page. Default: `100`. */
            limit?: number;
            /** @description Persons to skip. Default: `0`. */
            offset?: number;
            /**
             * @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. Default: `"json"`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order. Default: `"ordered"`.
             * @example ordered
             * @enum {string}
             */
            funnel_order_type?: "ordered" | "strict" | "unordered";
            /**
             * @description The longest time from the first step to the last step, inclusive; 14 days by default.
             * @example 14
             */
            funnel_window_interval?: number;
            /**
             * @description Unit of the window; a month is 30 days. Default: `"day"`.
             * @example day
             * @enum {string}
             */
            funnel_window_interval_unit?: "second" | "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description The window in days, without `funnel_window_interval`. Default: `14`.
             * @example 14
             */
            funnel_window_days?: number;
            /**
             * @description Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of `{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}`, 10 at most.
             * @example [
             *       {
             *         "id": "invited teammate",
             *         "funnel_from_step": 0,
             *         "funnel_to_step": 1
             *       }
             *     ]
             */
            exclusions?: components["schemas"]["ExclusionEntity"][];
            /**
             * @description What to compare between the persons who converted and those who did not: events between the first and the last step, properties of persons, or properties of those events. Default: `"events"`.
             * @example events
             * @enum {string}
             */
            funnel_correlation_type?: "events" | "properties" | "event_with_properties";
            /**
             * @description properties: the keys; `$all` means every key that persons have (the 200 most common).
             * @example [
             *       "$all"
             *     ]
             */
            funnel_correlation_names?: string[];
            /**
             * @description properties: keys to leave out.
             * @example [
             *       "email"
             *     ]
             */
            funnel_correlation_exclude_names?: string[];
            /**
             * @description event_with_properties: the events whose properties (the 200 most common) are compared.
             * @example [
             *       "$pageview"
             *     ]
             */
            funnel_correlation_event_names?: string[];
            /**
             * @description event_with_properties: keys to leave out.
             * @example [
             *       "$current_url"
             *     ]
             */
            funnel_correlation_event_exclude_property_names?: string[];
            /**
             * @description events: events to leave out, in addition to the steps of the funnel and to $create_alias, $delete_person_property, $groupidentify, $identify, $merge_dangerously, $set.
             * @example [
             *       "logged out"
             *     ]
             */
            funnel_correlation_exclude_event_names?: string[];
            /**
             * @description Only persons with this event on the way: `{"id":"activated"}`, optionally with `properties`.
             * @example {
             *       "id": "activated"
             *     }
             */
            funnel_correlation_person_entity?: components["schemas"]["Entity"];
            /**
             * @description Only persons that pass these filters; an empty value is a missing property.
             * @example []
             */
            funnel_correlation_property_values?: components["schemas"]["PersonFilters"];
            /**
             * @description true: only persons who converted; false: only persons who did not; both by default.
             * @example true
             */
            funnel_correlation_person_converted?: boolean;
        };
        PathsQuestion: {
            /**
             * @description Only these events become items: a list of `{"id":"signed up"}`. With `funnel_paths` the events are the steps of the funnel instead.
             * @example []
             */
            events?: components["schemas"]["Entity"][];
            /**
             * @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event.
             * @example []
             */
            actions?: components["schemas"]["NamedAction"][];
            /**
             * @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. Default: `"-7d"`.
             * @example -30d
             */
            date_from?: string;
            /**
             * @description Like `date_from`; a date includes the whole day.
             * @example now
             */
            date_to?: string;
            /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. Default: `false`. */
            explicit_date?: boolean;
            /**
             * @description Length of one point of the time axis. Default: `"day"`.
             * @enum {string}
             */
            interval?: "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000.
             * @example []
             */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups.
             * @example 0
             */
            aggregation_group_type_index?: number;
            /** @description Adds the project’s `test_account_filters`. Default: `false`. */
            filter_test_accounts?: boolean;
            /**
             * @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id.
             * @example
             */
            search?: string;
            /**
             * @description Only one half of the answer: the `insight`, or the envelope of `persons`.
             * @enum {string}
             */
            include?: "insight" | "persons";
            /** @description Persons per page. Default: `100`. */
            limit?: number;
            /** @description Persons to skip. Default: `0`. */
            offset?: number;
            /**
             * @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. Default: `"json"`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description Which events become items: $pageview, $screen, custom_event (names that do not begin with $); all events by default.
             * @example [
             *       "$pageview"
             *     ]
             */
            include_event_types?: string[];
            /**
             * @description One more of `include_event_types`.
             * @example $pageview
             * @enum {string}
             */
            path_type?: "$pageview" | "$screen" | "custom_event";
            /**
             * @description Names of further events that become items.
             * @example [
             *       "signed up"
             *     ]
             */
            include_custom_events?: string[];
            /**
             * @description Another name of `include_custom_events`.
             * @example [
             *       "signed up"
             *     ]
             */
            custom_events?: string[];
            /**
             * @description Items to leave out; `*` stands for any text. Applied after grouping.
             * @example [
             *       "*\/admin*"
             *     ]
             */
            exclude_events?: string[];
            /**
             * @description An item that contains a pattern becomes the last such pattern; `*` stands for any text.
             * @example [
             *       "/products/*"
             *     ]
             */
            path_groupings?: string[];
            /**
             * @description Applies the project’s `path_cleaning_filters`. Default: `false`.
             * @example false
             */
            path_replacements?: boolean;
            /**
             * @description Regular expressions (RE2) whose matches in an item become the alias. Applied in order, after the rules of the project.
             * @example [
             *       {
             *         "regex": "\\?.*",
             *         "alias": ""
             *       }
             *     ]
             */
            local_path_cleaning_filters?: components["schemas"]["CleaningRule"][];
            /**
             * @description Only paths with this item, from its first occurrence on.
             * @example /
             */
            start_point?: string;
            /**
             * @description Only paths with this item, up to its first occurrence: the last steps before the item.
             * @example /pricing
             */
            end_point?: string;
            /**
             * @description Number of steps of a path. Default: `5`.
             * @example 5
             */
            step_limit?: number;
            /**
             * @description Number of edges: those of the highest `value`, without the ones that are not connected to a start. Default: `50`.
             * @example 50
             */
            edge_limit?: number;
            /**
             * @description Only edges with a `value` of at least this, connected to a start or not.
             * @example 2
             */
            min_edge_weight?: number;
            /**
             * @description Only edges with a `value` of at most this, connected to a start or not.
             * @example 1000
             */
            max_edge_weight?: number;
            /**
             * @description Only persons who continued from this step.
             * @example 1_signed up
             */
            path_start_key?: string;
            /**
             * @description Only persons who reached this step; with `path_start_key`, from there.
             * @example 2_signed up
             */
            path_end_key?: string;
            /**
             * @description Only persons whose path ends at this step; the other two keys are then ignored.
             * @example 1_signed up
             */
            path_dropoff_key?: string;
            /**
             * @description Replaces sessions by the paths before or after a step of a funnel, as long as the window of the funnel, or between the step and the previous step.
             * @enum {string}
             */
            funnel_paths?: "before_step" | "funnel_path_before_step" | "between_steps" | "funnel_path_between_steps" | "after_step" | "funnel_path_after_step";
            /**
             * @description The funnel, as an object with its parameters. Values here replace the parameters of the question.
             * @example {
             *       "events": [
             *         {
             *           "id": "$pageview"
             *         },
             *         {
             *           "id": "signed up"
             *         }
             *       ],
             *       "funnel_window_interval": 7
             *     }
             */
            funnel_filter?: components["schemas"]["FunnelOfPaths"];
            /**
             * @description n: paths of persons who reached step n of the funnel; -n: of persons who took all steps before step n, but not step n. Default: `1`.
             * @example 1
             */
            funnel_step?: number;
            /**
             * @description Persons whose last step has one of these numbers; replaces `funnel_step`.
             * @example [
             *       1,
             *       2
             *     ]
             */
            funnel_custom_steps?: number[];
            /**
             * @description ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order. Default: `"ordered"`.
             * @example ordered
             * @enum {string}
             */
            funnel_order_type?: "ordered" | "strict" | "unordered";
            /**
             * @description The longest time from the first step to the last step, inclusive; 14 days by default.
             * @example 14
             */
            funnel_window_interval?: number;
            /**
             * @description Unit of the window; a month is 30 days. Default: `"day"`.
             * @example day
             * @enum {string}
             */
            funnel_window_interval_unit?: "second" | "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description The window in days, without `funnel_window_interval`. Default: `14`.
             * @example 14
             */
            funnel_window_days?: number;
            /**
             * @description Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of `{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}`, 10 at most.
             * @example [
             *       {
             *         "id": "invited teammate",
             *         "funnel_from_step": 0,
             *         "funnel_to_step": 1
             *       }
             *     ]
             */
            exclusions?: components["schemas"]["ExclusionEntity"][];
        };
        FunnelOfPaths: {
            /**
             * @description The steps, at most 20 with those of `actions`, sorted by `order`: a list of `{"id":"signed up"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. Each step may have `name`, `order`, `properties`, and `optional_in_funnel`: persons may skip such a step, so that later steps and times are about the steps around it; its own count is of persons who took it between them. For steps in order, seen as steps.
             * @example [
             *       {
             *         "id": "$pageview"
             *       },
             *       {
             *         "id": "signed up"
             *       },
             *       {
             *         "id": "paid"
             *       }
             *     ]
             */
            events?: components["schemas"]["StepEntity"][];
            /**
             * @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event.
             * @example []
             */
            actions?: components["schemas"]["StepNamedAction"][];
            /**
             * @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. Default: `"-7d"`.
             * @example -30d
             */
            date_from?: string;
            /**
             * @description Like `date_from`; a date includes the whole day.
             * @example now
             */
            date_to?: string;
            /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. Default: `false`. */
            explicit_date?: boolean;
            /**
             * @description Length of one point of the time axis. Default: `"day"`.
             * @enum {string}
             */
            interval?: "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000.
             * @example []
             */
            properties?: components["schemas"]["InsightFilters"];
            /**
             * @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups.
             * @example 0
             */
            aggregation_group_type_index?: number;
            /** @description Adds the project’s `test_account_filters`. Default: `false`. */
            filter_test_accounts?: boolean;
            /**
             * @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id.
             * @example
             */
            search?: string;
            /**
             * @description Only one half of the answer: the `insight`, or the envelope of `persons`.
             * @enum {string}
             */
            include?: "insight" | "persons";
            /** @description Persons per page. Default: `100`. */
            limit?: number;
            /** @description Persons to skip. Default: `0`. */
            offset?: number;
            /**
             * @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. Default: `"json"`.
             * @enum {string}
             */
            format?: "json" | "csv";
            /**
             * @description ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order. Default: `"ordered"`.
             * @example ordered
             * @enum {string}
             */
            funnel_order_type?: "ordered" | "strict" | "unordered";
            /**
             * @description The longest time from the first step to the last step, inclusive; 14 days by default.
             * @example 14
             */
            funnel_window_interval?: number;
            /**
             * @description Unit of the window; a month is 30 days. Default: `"day"`.
             * @example day
             * @enum {string}
             */
            funnel_window_interval_unit?: "second" | "minute" | "hour" | "day" | "week" | "month";
            /**
             * @description The window in days, without `funnel_window_interval`. Default: `14`.
             * @example 14
             */
            funnel_window_days?: number;
            /**
             * @description Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of `{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}`, 10 at most.
             * @example [
             *       {
             *         "id": "invited teammate",
             *         "funnel_from_step": 0,
             *         "funnel_to_step": 1
             *       }
             *     ]
             */
            exclusions?: components["schemas"]["ExclusionEntity"][];
            /**
             * @description A property key or a list of at most 5 keys; for cohorts a list of at most 25 ids. `all` means all persons.
             * @example $browser
             */
            breakdown?: string | number | (string | number)[];
            /**
             * @description The source of the property. Default: `"event"`.
             * @enum {string}
             */
            breakdown_type?: "event" | "person" | "cohort" | "group";
            /**
             * @description With `breakdown_type=group`: the type of the groups.
             * @example 0
             */
            breakdown_group_type_index?: number;
            /**
             * @description In place of `breakdown`: at most 5 properties of different types, `{"property":"$browser","type":"event"}`. With type `cohort`, `property` is an id, `all` or a list of them, and a person has each cohort it is in as a value; persons in none of them do not count. All cohorts together have at most 25 combinations. In trends `"at":"event"` beside it means the cohorts that the person was in at the time of the event. An entry may have `normalize_url` and `histogram_bin_count` of its own.
             * @example []
             */
            breakdowns?: components["schemas"]["Breakdown"][];
            /**
             * @description Only persons with this value, a list of values for several properties; `""` is a missing property.
             * @example
             */
            breakdown_value?: string | string[];
            /** @description Number of values: the most frequent ones. All others become "Other". Without this parameter a histogram has all of its bins. Default: `25`. */
            breakdown_limit?: number;
            /**
             * @description Leaves out `/`, `?` and `#` at the end of values, so that `/pricing/` and `/pricing?` are `/pricing`; what is empty then is `/`. Default: `false`.
             * @example false
             */
            breakdown_normalize_url?: boolean;
            /**
             * @description Splits by this many bins of equal width, from the lowest to the highest number of the property among the events of the question. A value is `[10.0,17.5]`, its first bound included and its second one not; bounds are rounded down to two decimals (more for narrow bins), and the last one lies above the highest number. Values that are no numbers are missing values.
             * @example 1
             */
            breakdown_histogram_bin_count?: number;
            /**
             * @description Which event of a person gives the value: the first or the last event with a value, every event, or the event of a step. Default: `"first_touch"`.
             * @example first_touch
             * @enum {string}
             */
            breakdown_attribution_type?: "first_touch" | "last_touch" | "all_events" | "step";
            /**
             * @description With attribution by step: the index of the step, from 0. Default: `0`.
             * @example 0
             */
            breakdown_attribution_value?: number;
            /**
             * @description steps: persons by step; time_to_convert: persons by time taken; trends: conversion by interval of entry. Default: `"steps"`.
             * @example steps
             * @enum {string}
             */
            funnel_viz_type?: "steps" | "time_to_convert" | "trends";
            /**
             * @description time_to_convert and trends: index of the first step, from 0. Default: `0`.
             * @example 0
             */
            funnel_from_step?: number;
            /**
             * @description time_to_convert and trends: index of the last step, from 0; the last step of the funnel by default.
             * @example 1
             */
            funnel_to_step?: number;
            /**
             * @description time_to_convert: number of bins; the cube root of the number of persons by default.
             * @example 10
             */
            bin_count?: number;
            /**
             * @description n: persons who reached step n, from 1; -n: persons who took all steps before step n, but not step n. Default: `1`.
             * @example 1
             */
            funnel_step?: number;
            /**
             * @description Persons whose last step has one of these numbers; replaces `funnel_step`.
             * @example [
             *       1,
             *       2
             *     ]
             */
            funnel_custom_steps?: number[];
            /**
             * @description Another name of `breakdown_value`.
             * @example Chrome
             */
            funnel_step_breakdown?: string | string[];
            /**
             * @description trends: persons who entered in the interval that contains this moment.
             * @example -1d
             */
            entrance_period_start?: string;
            /**
             * @description time_to_convert: persons who took at least so many seconds: `from` of a bin.
             * @example 3600
             */
            conversion_time_from?: number;
            /**
             * @description time_to_convert: persons who took less than so many seconds: `to` of a bin; without it also those of the last bin’s end.
             * @example 7200
             */
            conversion_time_to?: number;
            /**
             * @description With `entrance_period_start`: the persons who did not convert instead of those who did. Default: `false`.
             * @example false
             */
            drop_off?: boolean;
        };
        /** @description An event. */
        CaptureEvent: {
            /**
             * @description Its name.
             * @example signed up
             */
            event: string;
            /**
             * @description Whose event this is. `$distinct_id`, and both names in `properties`, are read if it is missing. Other JSON is used as its text.
             * @example ada
             */
            distinct_id?: string;
            /**
             * @description Properties of the event.
             * @example {
             *       "plan": "pro",
             *       "$set": {
             *         "email": "ada@example.test"
             *       }
             *     }
             */
            properties?: {
                /**
                 * @description Properties that the person gets.
                 * @example {
                 *       "email": "ada@example.test"
                 *     }
                 */
                $set?: {
                    [key: string]: unknown;
                };
                /**
                 * @description Properties that the person gets if it lacks them.
                 * @example {
                 *       "first_plan": "free"
                 *     }
                 */
                $set_once?: {
                    [key: string]: unknown;
                };
                /**
                 * @description Properties that the person loses.
                 * @example [
                 *       "trial"
                 *     ]
                 */
                $unset?: string[];
            } & {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * @description Milliseconds between the event and its sending, instead of a timestamp.
             * @example 250
             */
            offset?: number;
            /**
             * Format: uuid
             * @description An event with a uuid that the log has is a duplicate.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid?: string;
            /**
             * @description Properties that the person gets.
             * @example {
             *       "email": "ada@example.test"
             *     }
             */
            $set?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person gets if it lacks them.
             * @example {
             *       "first_plan": "free"
             *     }
             */
            $set_once?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person loses.
             * @example [
             *       "trial"
             *     ]
             */
            $unset?: string[];
            /**
             * @description The project token: `api_key`, `token` or `$token`, in the body or in its events.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            api_key?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The person of `distinct_id` is a known user from now on, and the person of `$anon_distinct_id` becomes part of it. */
        CaptureIdentify: {
            /** @enum {string} */
            event: "$identify";
            /**
             * @description Whose event this is. `$distinct_id`, and both names in `properties`, are read if it is missing. Other JSON is used as its text.
             * @example ada
             */
            distinct_id?: string;
            /**
             * @description Properties of the event.
             * @example {
             *       "$anon_distinct_id": "device-1",
             *       "$set": {
             *         "email": "ada@example.test"
             *       }
             *     }
             */
            properties?: {
                /**
                 * @description The id that the user had before. Other JSON is used as its text.
                 * @example device-1
                 */
                $anon_distinct_id?: string;
                /**
                 * @description Properties that the person gets.
                 * @example {
                 *       "email": "ada@example.test"
                 *     }
                 */
                $set?: {
                    [key: string]: unknown;
                };
                /**
                 * @description Properties that the person gets if it lacks them.
                 * @example {
                 *       "first_plan": "free"
                 *     }
                 */
                $set_once?: {
                    [key: string]: unknown;
                };
                /**
                 * @description Properties that the person loses.
                 * @example [
                 *       "trial"
                 *     ]
                 */
                $unset?: string[];
            } & {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * @description Milliseconds between the event and its sending, instead of a timestamp.
             * @example 250
             */
            offset?: number;
            /**
             * Format: uuid
             * @description An event with a uuid that the log has is a duplicate.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid?: string;
            /**
             * @description Properties that the person gets.
             * @example {
             *       "email": "ada@example.test"
             *     }
             */
            $set?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person gets if it lacks them.
             * @example {
             *       "first_plan": "free"
             *     }
             */
            $set_once?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person loses.
             * @example [
             *       "trial"
             *     ]
             */
            $unset?: string[];
            /**
             * @description The project token: `api_key`, `token` or `$token`, in the body or in its events.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            api_key?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Both ids belong to one person from now on. */
        CaptureAlias: {
            /** @enum {string} */
            event: "$create_alias";
            /**
             * @description Whose event this is. `$distinct_id`, and both names in `properties`, are read if it is missing. Other JSON is used as its text.
             * @example ada
             */
            distinct_id?: string;
            /**
             * @description Properties of the event.
             * @example {
             *       "alias": "ada-phone"
             *     }
             */
            properties?: {
                /**
                 * @description The other id of the person. Other JSON is used as its text.
                 * @example ada-phone
                 */
                alias?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * @description Milliseconds between the event and its sending, instead of a timestamp.
             * @example 250
             */
            offset?: number;
            /**
             * Format: uuid
             * @description An event with a uuid that the log has is a duplicate.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid?: string;
            /**
             * @description Properties that the person gets.
             * @example {
             *       "email": "ada@example.test"
             *     }
             */
            $set?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person gets if it lacks them.
             * @example {
             *       "first_plan": "free"
             *     }
             */
            $set_once?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person loses.
             * @example [
             *       "trial"
             *     ]
             */
            $unset?: string[];
            /**
             * @description The project token: `api_key`, `token` or `$token`, in the body or in its events.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            api_key?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Describes a group, and no person. It is kept as an event. */
        CaptureGroupIdentify: {
            /** @enum {string} */
            event: "$groupidentify";
            /**
             * @description Whose event this is. `$distinct_id`, and both names in `properties`, are read if it is missing. Other JSON is used as its text.
             * @example ada
             */
            distinct_id?: string;
            /**
             * @description Properties of the event.
             * @example {
             *       "$group_type": "company",
             *       "$group_key": "acme",
             *       "$group_set": {
             *         "seats": 20
             *       }
             *     }
             */
            properties?: {
                /**
                 * @description The kind of group.
                 * @example company
                 */
                $group_type?: string;
                /**
                 * @description Which group of this kind.
                 * @example acme
                 */
                $group_key?: string;
                /**
                 * @description Properties of the group.
                 * @example {
                 *       "seats": 20
                 *     }
                 */
                $group_set?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * @description Milliseconds between the event and its sending, instead of a timestamp.
             * @example 250
             */
            offset?: number;
            /**
             * Format: uuid
             * @description An event with a uuid that the log has is a duplicate.
             * @example 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e
             */
            uuid?: string;
            /**
             * @description Properties that the person gets.
             * @example {
             *       "email": "ada@example.test"
             *     }
             */
            $set?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person gets if it lacks them.
             * @example {
             *       "first_plan": "free"
             *     }
             */
            $set_once?: {
                [key: string]: unknown;
            };
            /**
             * @description Properties that the person loses.
             * @example [
             *       "trial"
             *     ]
             */
            $unset?: string[];
            /**
             * @description The project token: `api_key`, `token` or `$token`, in the body or in its events.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            api_key?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Events that are sent together. */
        CaptureBatch: {
            /**
             * @description The project token: `api_key`, `token` or `$token`, in the body or in its events.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            api_key?: string;
            batch: components["schemas"]["CapturedEvent"][];
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times of the events.
             * @example 2026-01-02T10:00:01.000Z
             */
            sent_at?: string;
        } & {
            [key: string]: unknown;
        };
        CapturedEvent: components["schemas"]["CaptureIdentify"] | components["schemas"]["CaptureAlias"] | components["schemas"]["CaptureGroupIdentify"] | components["schemas"]["CaptureEvent"];
        /** @description Says who a user is, and merges its ids. */
        SegmentIdentify: {
            /**
             * @description Needed in a batch; otherwise the path tells it.
             * @enum {string}
             */
            type?: "identify";
            /**
             * @description The id of a known user. Without it, `anonymousId` is needed. Other JSON is used as its text.
             * @example ada
             */
            userId?: string;
            /**
             * @description The id before the user is known. With `userId`, it belongs to the same person. Other JSON is used as its text.
             * @example device-1
             */
            anonymousId?: string;
            /**
             * @description A message with an id that was received before is a duplicate.
             * @example m-1
             */
            messageId?: string;
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times.
             * @example 2026-01-02T10:00:01.000Z
             */
            sentAt?: string;
            /**
             * @description Becomes properties of the event.
             * @example {
             *       "locale": "en-GB",
             *       "page": {
             *         "path": "/pricing"
             *       }
             *     }
             */
            context?: {
                [key: string]: unknown;
            };
            /**
             * @description The project token, unless it is the user name of Basic authentication.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            writeKey?: string;
            /**
             * @description Properties of the person.
             * @example {
             *       "email": "ada@example.test"
             *     }
             */
            traits?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An event. */
        SegmentTrack: {
            /**
             * @description Needed in a batch; otherwise the path tells it.
             * @enum {string}
             */
            type?: "track";
            /**
             * @description The id of a known user. Without it, `anonymousId` is needed. Other JSON is used as its text.
             * @example ada
             */
            userId?: string;
            /**
             * @description The id before the user is known. With `userId`, it belongs to the same person. Other JSON is used as its text.
             * @example device-1
             */
            anonymousId?: string;
            /**
             * @description A message with an id that was received before is a duplicate.
             * @example m-1
             */
            messageId?: string;
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times.
             * @example 2026-01-02T10:00:01.000Z
             */
            sentAt?: string;
            /**
             * @description Becomes properties of the event.
             * @example {
             *       "locale": "en-GB",
             *       "page": {
             *         "path": "/pricing"
             *       }
             *     }
             */
            context?: {
                [key: string]: unknown;
            };
            /**
             * @description The project token, unless it is the user name of Basic authentication.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            writeKey?: string;
            /**
             * @description Its name.
             * @example signed up
             */
            event: string;
            /**
             * @description Properties of the event.
             * @example {
             *       "plan": "pro"
             *     }
             */
            properties?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The view of a page. */
        SegmentPage: {
            /**
             * @description Needed in a batch; otherwise the path tells it.
             * @enum {string}
             */
            type?: "page";
            /**
             * @description The id of a known user. Without it, `anonymousId` is needed. Other JSON is used as its text.
             * @example ada
             */
            userId?: string;
            /**
             * @description The id before the user is known. With `userId`, it belongs to the same person. Other JSON is used as its text.
             * @example device-1
             */
            anonymousId?: string;
            /**
             * @description A message with an id that was received before is a duplicate.
             * @example m-1
             */
            messageId?: string;
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times.
             * @example 2026-01-02T10:00:01.000Z
             */
            sentAt?: string;
            /**
             * @description Becomes properties of the event.
             * @example {
             *       "locale": "en-GB",
             *       "page": {
             *         "path": "/pricing"
             *       }
             *     }
             */
            context?: {
                [key: string]: unknown;
            };
            /**
             * @description The project token, unless it is the user name of Basic authentication.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            writeKey?: string;
            /**
             * @description The name of the page or screen.
             * @example Pricing
             */
            name?: string;
            /**
             * @description What kind of page or screen it is.
             * @example Docs
             */
            category?: string;
            /**
             * @description Properties of the event.
             * @example {
             *       "plan": "pro"
             *     }
             */
            properties?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The view of a screen of an app. */
        SegmentScreen: {
            /**
             * @description Needed in a batch; otherwise the path tells it.
             * @enum {string}
             */
            type?: "screen";
            /**
             * @description The id of a known user. Without it, `anonymousId` is needed. Other JSON is used as its text.
             * @example ada
             */
            userId?: string;
            /**
             * @description The id before the user is known. With `userId`, it belongs to the same person. Other JSON is used as its text.
             * @example device-1
             */
            anonymousId?: string;
            /**
             * @description A message with an id that was received before is a duplicate.
             * @example m-1
             */
            messageId?: string;
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times.
             * @example 2026-01-02T10:00:01.000Z
             */
            sentAt?: string;
            /**
             * @description Becomes properties of the event.
             * @example {
             *       "locale": "en-GB",
             *       "page": {
             *         "path": "/pricing"
             *       }
             *     }
             */
            context?: {
                [key: string]: unknown;
            };
            /**
             * @description The project token, unless it is the user name of Basic authentication.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            writeKey?: string;
            /**
             * @description The name of the page or screen.
             * @example Pricing
             */
            name?: string;
            /**
             * @description What kind of page or screen it is.
             * @example Docs
             */
            category?: string;
            /**
             * @description Properties of the event.
             * @example {
             *       "plan": "pro"
             *     }
             */
            properties?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description Says to which group a user belongs. It is kept as an event. */
        SegmentGroup: {
            /**
             * @description Needed in a batch; otherwise the path tells it.
             * @enum {string}
             */
            type?: "group";
            /**
             * @description The id of a known user. Without it, `anonymousId` is needed. Other JSON is used as its text.
             * @example ada
             */
            userId?: string;
            /**
             * @description The id before the user is known. With `userId`, it belongs to the same person. Other JSON is used as its text.
             * @example device-1
             */
            anonymousId?: string;
            /**
             * @description A message with an id that was received before is a duplicate.
             * @example m-1
             */
            messageId?: string;
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times.
             * @example 2026-01-02T10:00:01.000Z
             */
            sentAt?: string;
            /**
             * @description Becomes properties of the event.
             * @example {
             *       "locale": "en-GB",
             *       "page": {
             *         "path": "/pricing"
             *       }
             *     }
             */
            context?: {
                [key: string]: unknown;
            };
            /**
             * @description The project token, unless it is the user name of Basic authentication.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            writeKey?: string;
            /**
             * @description Which group it is.
             * @example acme
             */
            groupId: string;
            /**
             * @description Properties of the group.
             * @example {
             *       "seats": 20
             *     }
             */
            traits?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description Both ids belong to one person from now on. */
        SegmentAlias: {
            /**
             * @description Needed in a batch; otherwise the path tells it.
             * @enum {string}
             */
            type?: "alias";
            /**
             * @description The id of a known user. Without it, `anonymousId` is needed. Other JSON is used as its text.
             * @example ada
             */
            userId?: string;
            /**
             * @description The id before the user is known. With `userId`, it belongs to the same person. Other JSON is used as its text.
             * @example device-1
             */
            anonymousId?: string;
            /**
             * @description A message with an id that was received before is a duplicate.
             * @example m-1
             */
            messageId?: string;
            /**
             * Format: date-time
             * @description When it happened; without it, when it was received. Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.
             * @example 2026-01-02T10:00:00.000Z
             */
            timestamp?: string;
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times.
             * @example 2026-01-02T10:00:01.000Z
             */
            sentAt?: string;
            /**
             * @description Becomes properties of the event.
             * @example {
             *       "locale": "en-GB",
             *       "page": {
             *         "path": "/pricing"
             *       }
             *     }
             */
            context?: {
                [key: string]: unknown;
            };
            /**
             * @description The project token, unless it is the user name of Basic authentication.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            writeKey?: string;
            /**
             * @description The other id; without it, `anonymousId` beside `userId` is the other one. Other JSON is used as its text.
             * @example ada-phone
             */
            previousId?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Messages of any type that are sent together. */
        SegmentBatch: {
            batch: (components["schemas"]["SegmentIdentify"] | components["schemas"]["SegmentTrack"] | components["schemas"]["SegmentPage"] | components["schemas"]["SegmentScreen"] | components["schemas"]["SegmentGroup"] | components["schemas"]["SegmentAlias"])[];
            /**
             * Format: date-time
             * @description When it was sent, by the clock of the sender: corrects the times.
             * @example 2026-01-02T10:00:01.000Z
             */
            sentAt?: string;
            /**
             * @description The project token, unless it is the user name of Basic authentication.
             * @example phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj
             */
            writeKey?: string;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description A parameter or the body is not valid; `attr` names it. */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "validation_error",
                 *       "code": "invalid_input",
                 *       "detail": "limit must be an integer from 1 to 1000",
                 *       "attr": "limit",
                 *       "status": 400,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description No API key and no session, or one that is unknown, revoked, expired or malformed. */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "authentication_error",
                 *       "code": "authentication_failed",
                 *       "detail": "The API key is not valid: send a personal API key (phx_…) that is not revoked or expired; a project token (phc_…) only sends events",
                 *       "attr": null,
                 *       "status": 401,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The key, or the role of the signed-in user, lacks a scope, named in `detail` and `X-Required-Scopes`; or a page of another origin sent the request with a session. */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "authentication_error",
                 *       "code": "permission_denied",
                 *       "detail": "The API key lacks the scope person:read",
                 *       "attr": null,
                 *       "status": 403,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The record does not exist, or the key does not open its project: the answer is the same for both. The id or uuid of a person that was merged into another one gets the code `merged`, and `merged_into` names that person. */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "invalid_request",
                 *       "code": "not_found",
                 *       "detail": "there is no cohort 999",
                 *       "attr": null,
                 *       "status": 404,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The request conflicts with stored records, as `detail` says. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "invalid_request",
                 *       "code": "conflict",
                 *       "detail": "This Idempotency-Key was used for another request: use a new one",
                 *       "attr": "Idempotency-Key",
                 *       "status": 409,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The body arrived too slowly or stopped arriving; the connection is closed. */
        Problem408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "invalid_request",
                 *       "code": "timeout",
                 *       "detail": "The body did not arrive within 30 s: send it faster, or less at a time",
                 *       "attr": null,
                 *       "status": 408,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The body exceeds `x-max-bytes` of the request body, as received or unpacked. */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "invalid_request",
                 *       "code": "too_large",
                 *       "detail": "The body must not exceed 100 kB on this route",
                 *       "attr": null,
                 *       "status": 413,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The body is not JSON, or its `Content-Encoding` is not gzip, deflate or br. */
        Problem415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "invalid_request",
                 *       "code": "unsupported_media_type",
                 *       "detail": "Send the body as Content-Type: application/json",
                 *       "attr": null,
                 *       "status": 415,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The rate limit of the user, or of the remote address without a valid key, is exhausted, or the address sends too many bytes at a time; `Retry-After` is the time to wait in seconds. */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "throttled_error",
                 *       "code": "throttled",
                 *       "detail": "Too many requests: try again in 12 s",
                 *       "attr": null,
                 *       "status": 429,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description The path, the query and the headers exceed 16 kB together. */
        Problem431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "invalid_request",
                 *       "code": "too_large",
                 *       "detail": "The path and the headers must not exceed 16 kB together",
                 *       "attr": null,
                 *       "status": 431,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description A store cannot be reached; try again after `Retry-After` seconds. */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "server_error",
                 *       "code": "unavailable",
                 *       "detail": "The database cannot be reached at the moment",
                 *       "attr": null,
                 *       "status": 503,
                 *       "request_id": "0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
    };
    parameters: {
        /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProjectActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
                /** @description Only entries of this scope. */
                scope?: "Person" | "Group" | "Cohort" | "Action" | "Insight" | "Dashboard" | "Annotation" | "Alert" | "Definition" | "Project" | "Import" | "Export" | "Member" | "Invitation" | "Webhook";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listAuditTrail: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
                /** @description Requests with this key, by its id. For example `0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e`. */
                key?: string;
                /** @description Requests of this user, with keys too. For example `2`. */
                user?: number;
                /** @description Requests of this operation: an `operationId` of this document. For example `listPersons`. */
                operation?: string;
                /** @description Requests later than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-01-01T00:00:00Z`. */
                after?: string;
                /** @description Requests earlier than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-02-01T00:00:00Z`. */
                before?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listOrganizationProjects: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            /** @description The installation already has 1000 projects, which is the limit. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteProject: {
        parameters: {
            query: {
                /** @description The name of the project, exactly as `GET` shows it: it confirms that this project is meant. */
                confirm_name: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    /** @description The path of the receipt. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDeletionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProjectBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateProjectToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateTokenBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listProjectDeletions: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDeletionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getProjectDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDeletionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listNothing: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Has no effect, because the list is empty. */
                search?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbsentPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            /** @description The key that the first request with this `Idempotency-Key` created is revoked, or stronger than yours. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            408: components["responses"]["Problem408"];
            /** @description The user already has 1000 keys, which is the limit. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getCurrentKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            /** @description The request has a session, not a key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listKeysActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of one of your keys. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /** @description `revoke` also revokes the keys that this key made, directly or not. `keep` keeps them, as children of the key that made this one. */
                children?: "revoke" | "keep";
            };
            header?: never;
            path: {
                /** @description The id of one of your keys. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            /** @description The key of this request descends from that key and would be revoked too. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of one of your keys. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description The key of this request descends from that key and would be revoked too. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listKeyCreations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of one of your keys. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyCreationsDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of one of your keys. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description The key has expired, or the key of this request descends from it. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            /** @description Another request has changed the password meanwhile. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listMyActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewAccountDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            /** @description A user has this e-mail already. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            /** @description The user is the last owner of the installation, or the caller. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAccountBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description The user is the last owner of the installation, or the caller. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createPasswordLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of a user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordLinkDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listSessionsOfUser: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of a user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    endSessionsOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listUserActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description The id of a user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationTokenBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreviewDto"];
                };
            };
            400: components["responses"]["Problem400"];
            /** @description The link was used or revoked, or has expired, or the proof of its user is missing or wrong. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitationDto"];
                };
            };
            400: components["responses"]["Problem400"];
            /** @description The link was used or revoked, or has expired, or the proof of its user is missing or wrong. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A page of another origin sent the request. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            408: components["responses"]["Problem408"];
            /** @description The user was made or changed by another request meanwhile: try again. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleDto"];
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitationDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description The person is a member already, or the project has 1000 open invitations. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of an invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    addMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMemberBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description The user is a member already. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the user. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the user. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            /** @description The user is the last admin, and the installation has no owner. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the user. */
                user_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description The user is the last admin, and the installation has no owner. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    startSingleSignOn: {
        parameters: {
            query?: {
                /** @description The page of the console to open after signing in. For example `/p/1/live`. */
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The way to the provider, with the cookie `kohort_sign_on`. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            /** @description There is no single sign-on: `OIDC_ISSUER` is not set. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            /** @description The provider cannot be reached, or does not answer as it should. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            /** @description The e-mail or the password is wrong, or the link was used or has expired. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A page of another origin sent the request. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of one of your sessions. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listActions: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only actions whose name contains this text, in any case. For example `check`. */
                search?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateActionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the action. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the action. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action is deleted. A question that names it is refused from now on. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            /** @description Live cohorts name the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the action. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateActionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description The new steps filter by a cohort, and live cohorts name the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    captureByQuery: {
        parameters: {
            query?: {
                /** @description 1: the answer is 204 without a body. */
                beacon?: "0" | "1";
                /** @description A hint; the body itself decides. For example `gzip-js`. */
                compression?: string;
                /** @description When the request was sent, in milliseconds. */
                _?: string;
                /** @description The payload when there is no body: JSON, or base64 of it. */
                data?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptureReplyDto"];
                };
            };
            /** @description Like 200, for a beacon. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body cannot be read, or every event was rejected; `rejected` contains the reasons. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description No project token, or an unknown one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body arrived too slowly or stopped arriving; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Over 20 MB or 10,000 events; or, beyond 1 MB, unpacked to over 200 times its size; or every event has over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description The project captures too many events, or the remote address sends too many requests without a valid token or too many bytes at a time. Nothing was stored: send it again after `Retry-After` seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            431: components["responses"]["Problem431"];
            /** @description Nothing was acknowledged: send it again after `Retry-After` seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    capture: {
        parameters: {
            query?: {
                /** @description 1: the answer is 204 without a body. */
                beacon?: "0" | "1";
                /** @description A hint; the body itself decides. For example `gzip-js`. */
                compression?: string;
                /** @description When the request was sent, in milliseconds. */
                _?: string;
                /** @description The payload when there is no body: JSON, or base64 of it. */
                data?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One event, a list of events, or a batch; plain, gzip, base64 or a form field `data`, whatever the headers say. Base64 and forms may have at most 2 MB. An event of more than 1 MB, 10,000 values or 100 levels is rejected without the others. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureBatch"] | components["schemas"]["CapturedEvent"] | components["schemas"]["CapturedEvent"][];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptureReplyDto"];
                };
            };
            /** @description Like 200, for a beacon. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body cannot be read, or every event was rejected; `rejected` contains the reasons. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description No project token, or an unknown one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body arrived too slowly or stopped arriving; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Over 20 MB or 10,000 events; or, beyond 1 MB, unpacked to over 200 times its size; or every event has over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description The project captures too many events, or the remote address sends too many requests without a valid token or too many bytes at a time. Nothing was stored: send it again after `Retry-After` seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            431: components["responses"]["Problem431"];
            /** @description Nothing was acknowledged: send it again after `Retry-After` seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    captureWithResults: {
        parameters: {
            query?: {
                /** @description 1: the answer is 204 without a body. */
                beacon?: "0" | "1";
                /** @description A hint; the body itself decides. For example `gzip-js`. */
                compression?: string;
                /** @description When the request was sent, in milliseconds. */
                _?: string;
                /** @description The payload when there is no body: JSON, or base64 of it. */
                data?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One event, a list of events, or a batch; plain, gzip, base64 or a form field `data`, whatever the headers say. Base64 and forms may have at most 2 MB. An event of more than 1 MB, 10,000 values or 100 levels is rejected without the others. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureBatch"] | components["schemas"]["CapturedEvent"] | components["schemas"]["CapturedEvent"][];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptureResultsDto"];
                };
            };
            /** @description Like 200, for a beacon. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body cannot be read, or every event was rejected; `rejected` contains the reasons. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description No project token, or an unknown one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body arrived too slowly or stopped arriving; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Over 20 MB or 10,000 events; or, beyond 1 MB, unpacked to over 200 times its size; or every event has over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description The project captures too many events, or the remote address sends too many requests without a valid token or too many bytes at a time. Nothing was stored: send it again after `Retry-After` seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            431: components["responses"]["Problem431"];
            /** @description Nothing was acknowledged: send it again after `Retry-After` seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    captureMessagesByQuery: {
        parameters: {
            query?: {
                /** @description The payload when there is no body: JSON, or base64 of it. */
                data?: string;
            };
            header?: never;
            path: {
                /** @description Its first letter means the same. */
                type: "identify" | "track" | "page" | "screen" | "group" | "alias" | "batch";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentReplyDto"];
                };
            };
            /** @description The body cannot be read, or every event was rejected; `rejected` contains the reasons. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description No project token, or an unknown one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            404: components["responses"]["Problem404"];
            /** @description The body arrived too slowly or stopped arriving; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Over 20 MB or 10,000 events; or, beyond 1 MB, unpacked to over 200 times its size; or every event has over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description The project captures too many events, or the remote address sends too many requests without a valid token or too many bytes at a time. Nothing was stored: send it again after `Retry-After` seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            431: components["responses"]["Problem431"];
            /** @description Nothing was acknowledged: send it again after `Retry-After` seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    captureMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its first letter means the same. */
                type: "identify" | "track" | "page" | "screen" | "group" | "alias" | "batch";
            };
            cookie?: never;
        };
        /** @description One message, or a batch of messages of any type; plain or gzip. The limits are those of `/batch`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentBatch"] | components["schemas"]["SegmentIdentify"] | components["schemas"]["SegmentTrack"] | components["schemas"]["SegmentPage"] | components["schemas"]["SegmentScreen"] | components["schemas"]["SegmentGroup"] | components["schemas"]["SegmentAlias"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentReplyDto"];
                };
            };
            /** @description The body cannot be read, or every event was rejected; `rejected` contains the reasons. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description No project token, or an unknown one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            404: components["responses"]["Problem404"];
            /** @description The body arrived too slowly or stopped arriving; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Over 20 MB or 10,000 events; or, beyond 1 MB, unpacked to over 200 times its size; or every event has over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CaptureProblemDto"];
                };
            };
            /** @description The project captures too many events, or the remote address sends too many requests without a valid token or too many bytes at a time. Nothing was stored: send it again after `Retry-After` seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            431: components["responses"]["Problem431"];
            /** @description Nothing was acknowledged: send it again after `Retry-After` seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    watchEvents: {
        parameters: {
            query?: {
                /** @description Events of this person: the integer id or the uuid. For example `1`. */
                person_id?: string;
                /** @description Events sent with exactly this distinct id. For example `ada`. */
                distinct_id?: string;
                /** @description Events of this name. For example `signed up`. */
                event?: string;
                /** @description The `id` of the last message that was received: the stream continues after it. Browsers send it as the header `Last-Event-ID`, which goes before this. For example `MTA0NToxMDQ1OiAgIDE3NjM4NTI0MDAwMDA`. */
                cursor?: string;
                /** @description The stream ends after this many events; without it, when its time is over. For example `10`. */
                limit?: number;
                /** @description The stream ends after this many seconds. Browsers connect again by themselves. */
                max_seconds?: number;
            };
            header?: {
                /** @description As `cursor`, as browsers send it. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Messages, until the stream ends. `contentSchema` describes the `data` of a message: of `event`, and of `skipped`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *
                     *     id: MTA0NToxMDQ1OiAgIDE3
                     *     event: skipped
                     *     data: {"count":950}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Taken from `next` or `previous` of another page; determines where the page begins. */
                cursor?: string;
                /** @description Events of this person: the integer id or the uuid. For example `1`. */
                person_id?: string;
                /** @description Events sent with exactly this distinct id. For example `ada`. */
                distinct_id?: string;
                /** @description Events of this name. For example `signed up`. */
                event?: string;
                /** @description Events later than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-01-01T00:00:00Z`. */
                after?: string;
                /** @description Events earlier than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-02-01T00:00:00Z`. */
                before?: string;
                /** @description Filters as JSON: a list, all of which must match, or a group `{"type": "AND" | "OR", "values": […]}` nested to any depth. Types: `event` (default), `person`, `cohort`, `event_metadata` (`timestamp`, `distinct_id`, `event`). For example `[{"key":"plan","operator":"exact","value":["pro"],"type":"event"}]`. */
                properties?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listEventNames: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Also $create_alias, $delete_person_property, $groupidentify, $identify, $merge_dangerously, $set, which change persons and groups. */
                include_internal?: boolean;
                /** @description Also names that the catalogue of the project hides. */
                include_hidden?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventNamePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listEventPropertyValues: {
        parameters: {
            query?: {
                /** @description Values per page. */
                limit?: number;
                /** @description Values to skip. */
                offset?: number;
                /** @description The property; without it, the answer lists the properties. For example `plan`. */
                key?: string;
                /** @description Only values that contain this text, in any case. For example `pr`. */
                value?: string;
                /** @description Also properties that the catalogue of the project hides. */
                include_hidden?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyValuePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listIngestionWarnings: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionWarningPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listRelated: {
        parameters: {
            query: {
                /** @description The type of the group `id`; without it, `id` is a person. For example `0`. */
                group_type_index?: number;
                /** @description The key of a group, or the integer id or the uuid of a person. */
                id: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["RelatedPersonDto"] | components["schemas"]["RelatedGroupDto"])[];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroupPersons: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Taken from `next` or `previous` of another page; determines where the page begins. */
                cursor?: string;
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description The persons of exactly these distinct ids; repeat the parameter for several, at most 1000. For example `["ada"]`. */
                distinct_id?: string[];
                /** @description The whole e-mail, in any case. For example `ada@example.test`. */
                email?: string;
                /** @description Persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is. Names are the properties `name`, `username` and those of the project’s `person_display_name_properties`. Of a person with more than 100 distinct ids the others are found as a whole. For example `example.test`. */
                search?: string;
                /** @description Filters as JSON: a list, all of which must hold, or a group `{"type": "AND" | "OR", "values": […]}` nested at will. Types: `person` (default) and `cohort`. For example `[{"key":"plan","operator":"exact","value":["pro"],"type":"person"}]`. */
                properties?: string;
                /** @description Members of this cohort. For example `3`. */
                cohort?: number;
                /** @description Persons created after this moment. For example `2026-01-01T00:00:00Z`. */
                created_after?: string;
                /** @description Persons created before this moment. For example `2026-02-01T00:00:00Z`. */
                created_before?: string;
                /** @description The person of this uuid. */
                uuid?: string;
                /** @description A distinct id, or the whole e-mail, in any case. For example `ada`. */
                key_identifier?: string;
                /** @description Whether the person was ever identified as a known user. For example `true`. */
                is_identified?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the group. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroupEvents: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Taken from `next` or `previous` of another page; determines where the page begins. */
                cursor?: string;
                /** @description Events of this person: the integer id or the uuid. For example `1`. */
                person_id?: string;
                /** @description Events sent with exactly this distinct id. For example `ada`. */
                distinct_id?: string;
                /** @description Events of this name. For example `signed up`. */
                event?: string;
                /** @description Events later than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-01-01T00:00:00Z`. */
                after?: string;
                /** @description Events earlier than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-02-01T00:00:00Z`. */
                before?: string;
                /** @description Filters as JSON: a list, all of which must match, or a group `{"type": "AND" | "OR", "values": […]}` nested to any depth. Types: `event` (default), `person`, `cohort`, `event_metadata` (`timestamp`, `distinct_id`, `event`). For example `[{"key":"plan","operator":"exact","value":["pro"],"type":"event"}]`. */
                properties?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the group. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    importRecords: {
        parameters: {
            query?: {
                /** @description false: event lines do not change properties of persons. */
                apply_person_properties?: boolean;
                /** @description false: events of unknown distinct ids do not create persons. */
                create_persons?: boolean;
                /** @description 0: the body is stored, and the answer is 202 with an import that goes on in the background; `GET import/{id}` tells its progress. Such an import takes at most 1 GB, packed, and a project has at most 2 of them unfinished. Without it the answer comes when all lines are stored. */
                wait?: "0";
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description Persons and events, one per line, each of at most 1 MB and 10,000 values. Streamed, of any size; repeating it changes nothing. A project has one import at a time. A client that sends nothing for 30 s is disconnected. */
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReplyDto"];
                };
            };
            /** @description With wait=0. */
            202: {
                headers: {
                    /** @description The address of the import. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportJobDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportJobDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getIngestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroupTypes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupTypeDto"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateGroupTypes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": {
                    /** @example 0 */
                    group_type_index: number;
                    /**
                     * @description How people call one of them. Missing: unchanged; null: none.
                     * @example Company
                     */
                    name_singular?: string;
                    /**
                     * @description How people call several. Missing: unchanged; null: none.
                     * @example Companies
                     */
                    name_plural?: string;
                }[];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupTypeDto"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroupProperties: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["GroupPropertyDto"][];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroupPropertyValues: {
        parameters: {
            query: {
                /** @description Values per page. */
                limit?: number;
                /** @description Values to skip. */
                offset?: number;
                /** @description The index of the type of group. */
                group_type_index: number;
                /** @description The property. */
                key: string;
                /** @description Only values that contain this text, in any case. For example `pr`. */
                value?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupPropertyValuePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroupActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the group. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getGroupPropertyHistory: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the group. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupChangePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Taken from `next` or `previous` of another page; determines where the page begins. */
                cursor?: string;
                /** @description csv streams every matching group, with the properties as JSON in the last column. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description The index of the type of group. A project with one type may leave it out. For example `0`. */
                group_type_index?: number;
                /** @description Groups whose key, name, username or e-mail contains this text in any case. For example `acme`. */
                search?: string;
                /** @description Filters as JSON: a list, all of which must hold, or a group `{"type": "AND" | "OR", "values": […]}` nested at will. Their type is `group`, and their `group_type_index` that of the list. For example `[{"key":"plan","operator":"exact","value":["pro"],"type":"group","group_type_index":0}]`. */
                properties?: string;
                /** @description The group of exactly this key. For example `acme`. */
                group_key?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGroupBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    findGroup: {
        parameters: {
            query: {
                /** @description The index of the type of group. */
                group_type_index: number;
                /** @description The key of the group. */
                group_key: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the group. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the group. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the group. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateGroupBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listCohortChanges: {
        parameters: {
            query?: {
                /** @description The `cursor` of an earlier answer or change: the answer continues after it. `latest` starts after the last change. Without it, the answer starts with the members of now. For example `YzoxMjA6MA`. */
                after?: string;
                /** @description Only changes of this kind; without it, both. */
                change?: "entered" | "left";
                /** @description newest: the changes of the last 90 days from the last one back, for a page that people read; `after` then continues with older ones. oldest: what has changed since, for a reader that keeps the cursor. */
                order?: "oldest" | "newest";
                /** @description The largest number of changes in the answer. */
                limit?: number;
                /** @description Seconds that the answer may wait for a change when there is none. */
                wait?: number;
                /** @description json: one answer. ndjson: one change in each line. sse: server-sent events, which follow the changes until the connection ends; so does the header `Accept: text/event-stream`. */
                format?: "json" | "ndjson" | "sse";
            };
            header?: {
                /** @description As `after`, as browsers send it. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the requested `format`. */
            200: {
                headers: {
                    /** @description Of NDJSON: the cursor after all lines, as JSON has it in `cursor`. */
                    "X-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CohortChangesDto"];
                    "application/x-ndjson": string;
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    checkMembership: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MembershipBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembershipsDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listCohortsActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listCohortActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listCohorts: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only cohorts whose name contains this text, in any case. For example `power`. */
                search?: string;
                /** @description Only cohorts of this type. */
                type?: "static" | "dynamic";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CohortPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createCohort: {
        parameters: {
            query?: {
                /** @description Seconds that the answer may wait for the calculation. */
                wait?: number;
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCohortBody"];
                "multipart/form-data": components["schemas"]["CreateCohortBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCohortDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    previewCohort: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getCohort: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CohortDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateCohort: {
        parameters: {
            query?: {
                /** @description Seconds that the answer may wait for the calculation. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCohortBody"];
                "multipart/form-data": components["schemas"]["UpdateCohortBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCohortDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            /** @description Live cohorts refer to the cohort to delete, or 10000 live cohorts leave no room for the cohort to restore. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    duplicateCohort: {
        parameters: {
            query?: {
                /** @description Seconds that the answer may wait for the calculation. */
                wait?: number;
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CohortDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            /** @description HEAD creates no cohort. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    recalculateCohort: {
        parameters: {
            query?: {
                /** @description Seconds that the answer may wait for the calculation. */
                wait?: number;
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecalculatedCohortDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listCohortPersons: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Taken from `next` or `previous` of another page; determines where the page begins. */
                cursor?: string;
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is. Names are the properties `name`, `username` and those of the project’s `person_display_name_properties`. Of a person with more than 100 distinct ids the others are found as a whole. For example `example.test`. */
                search?: string;
                /** @description Filters as JSON: a list, all of which must hold, or a group `{"type": "AND" | "OR", "values": […]}` nested at will. Types: `person` (default) and `cohort`. For example `[{"key":"plan","operator":"exact","value":["pro"],"type":"person"}]`. */
                properties?: string;
                /** @description Who was a member at this moment, or at the beginning of this day, in the last 90 days. Persons are shown as they are now: a merged person is the one into which it was merged, and a deleted one is missing. For example `2026-01-31`. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getCohortHistory: {
        parameters: {
            query?: {
                /** @description The number of days up to today. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CohortHistoryDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    explainCohort: {
        parameters: {
            query?: {
                /** @description The integer id or the uuid of the person; or send `distinct_id`. For example `41`. */
                person_id?: string;
                /** @description A distinct id of the person, in place of `person_id`. */
                distinct_id?: string;
                /** @description Who was a member at this moment, or at the beginning of this day, in the last 90 days. Persons are shown as they are now: a merged person is the one into which it was merged, and a deleted one is missing. For example `2026-01-31`. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplanationDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getCohortUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadReportDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    addPersonsToCohort: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPersonsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    removePersonFromCohort: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the cohort. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemovePersonBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPersonCohorts: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Who was a member at this moment, or at the beginning of this day, in the last 90 days. Persons are shown as they are now: a merged person is the one into which it was merged, and a deleted one is missing. For example `2026-01-31`. */
                as_of?: string;
                /** @description The integer id or the uuid of a person. For example `41`. */
                person_id?: string;
                /** @description A distinct id of a person. For example `ada`. */
                distinct_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CohortPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only deliveries with this status. */
                status?: "waiting" | "delivered" | "failed" | "dropped";
                /** @description Only deliveries about this cohort. For example `3`. */
                cohort?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the webhook. */
                id: number;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            /** @description The message still waits, and the webhook is paused. The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            /** @description The webhook that the first request with this `Idempotency-Key` created is deleted. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is deleted. A message that is being sent may still arrive. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listProjectCosts: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectCostPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectQuotasDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getFunnel: {
        parameters: {
            query?: {
                /** @description The steps, at most 20 with those of `actions`, sorted by `order`: a list of `{"id":"signed up"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. Each step may have `name`, `order`, `properties`, and `optional_in_funnel`: persons may skip such a step, so that later steps and times are about the steps around it; its own count is of persons who took it between them. For steps in order, seen as steps. JSON text. */
                events?: string;
                /** @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event. JSON text. */
                actions?: string;
                /** @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. */
                date_from?: string;
                /** @description Like `date_from`; a date includes the whole day. */
                date_to?: string;
                /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. */
                explicit_date?: boolean;
                /** @description Length of one point of the time axis. */
                interval?: "minute" | "hour" | "day" | "week" | "month";
                /** @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000. JSON text. */
                properties?: string;
                /** @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups. */
                aggregation_group_type_index?: number;
                /** @description Adds the project’s `test_account_filters`. */
                filter_test_accounts?: boolean;
                /** @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id. */
                search?: string;
                /** @description Only one half of the answer: the `insight`, or the envelope of `persons`. */
                include?: "insight" | "persons";
                /** @description Persons per page. */
                limit?: number;
                /** @description Persons to skip. */
                offset?: number;
                /** @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. */
                format?: "json" | "csv";
                /** @description ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order. */
                funnel_order_type?: "ordered" | "strict" | "unordered";
                /** @description The longest time from the first step to the last step, inclusive; 14 days by default. */
                funnel_window_interval?: number;
                /** @description Unit of the window; a month is 30 days. */
                funnel_window_interval_unit?: "second" | "minute" | "hour" | "day" | "week" | "month";
                /** @description The window in days, without `funnel_window_interval`. */
                funnel_window_days?: number;
                /** @description Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of `{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}`, 10 at most. JSON text. */
                exclusions?: string;
                /** @description A property key or a list of at most 5 keys; for cohorts a list of at most 25 ids. `all` means all persons. JSON text. */
                breakdown?: string;
                /** @description The source of the property. */
                breakdown_type?: "event" | "person" | "cohort" | "group";
                /** @description With `breakdown_type=group`: the type of the groups. */
                breakdown_group_type_index?: number;
                /** @description In place of `breakdown`: at most 5 properties of different types, `{"property":"$browser","type":"event"}`. With type `cohort`, `property` is an id, `all` or a list of them, and a person has each cohort it is in as a value; persons in none of them do not count. All cohorts together have at most 25 combinations. In trends `"at":"event"` beside it means the cohorts that the person was in at the time of the event. An entry may have `normalize_url` and `histogram_bin_count` of its own. JSON text. */
                breakdowns?: string;
                /** @description Only persons with this value, a list of values for several properties; `""` is a missing property. JSON text. */
                breakdown_value?: string;
                /** @description Number of values: the most frequent ones. All others become "Other". Without this parameter a histogram has all of its bins. */
                breakdown_limit?: number;
                /** @description Leaves out `/`, `?` and `#` at the end of values, so that `/pricing/` and `/pricing?` are `/pricing`; what is empty then is `/`. */
                breakdown_normalize_url?: boolean;
                /** @description Splits by this many bins of equal width, from the lowest to the highest number of the property among the events of the question. A value is `[10.0,17.5]`, its first bound included and its second one not; bounds are rounded down to two decimals (more for narrow bins), and the last one lies above the highest number. Values that are no numbers are missing values. */
                breakdown_histogram_bin_count?: number;
                /** @description Which event of a person gives the value: the first or the last event with a value, every event, or the event of a step. */
                breakdown_attribution_type?: "first_touch" | "last_touch" | "all_events" | "step";
                /** @description With attribution by step: the index of the step, from 0. */
                breakdown_attribution_value?: number;
                /** @description steps: persons by step; time_to_convert: persons by time taken; trends: conversion by interval of entry. */
                funnel_viz_type?: "steps" | "time_to_convert" | "trends";
                /** @description time_to_convert and trends: index of the first step, from 0. */
                funnel_from_step?: number;
                /** @description time_to_convert and trends: index of the last step, from 0; the last step of the funnel by default. */
                funnel_to_step?: number;
                /** @description time_to_convert: number of bins; the cube root of the number of persons by default. */
                bin_count?: number;
                /** @description n: persons who reached step n, from 1; -n: persons who took all steps before step n, but not step n. */
                funnel_step?: number;
                /** @description Persons whose last step has one of these numbers; replaces `funnel_step`. JSON text. */
                funnel_custom_steps?: string;
                /** @description Another name of `breakdown_value`. JSON text. */
                funnel_step_breakdown?: string;
                /** @description trends: persons who entered in the interval that contains this moment. */
                entrance_period_start?: string;
                /** @description time_to_convert: persons who took at least so many seconds: `from` of a bin. */
                conversion_time_from?: number;
                /** @description time_to_convert: persons who took less than so many seconds: `to` of a bin; without it also those of the last bin’s end. */
                conversion_time_to?: number;
                /** @description With `entrance_period_start`: the persons who did not convert instead of those who did. */
                drop_off?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FunnelPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    askFunnel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FunnelQuestion"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FunnelPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getFunnelCorrelation: {
        parameters: {
            query?: {
                /** @description The steps, at most 20 with those of `actions`, sorted by `order`: a list of `{"id":"signed up"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. Each step may have `name`, `order`, `properties`, and `optional_in_funnel`: persons may skip such a step, so that later steps and times are about the steps around it; its own count is of persons who took it between them. For steps in order, seen as steps. JSON text. */
                events?: string;
                /** @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event. JSON text. */
                actions?: string;
                /** @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. */
                date_from?: string;
                /** @description Like `date_from`; a date includes the whole day. */
                date_to?: string;
                /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. */
                explicit_date?: boolean;
                /** @description Length of one point of the time axis. */
                interval?: "minute" | "hour" | "day" | "week" | "month";
                /** @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000. JSON text. */
                properties?: string;
                /** @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups. */
                aggregation_group_type_index?: number;
                /** @description Adds the project’s `test_account_filters`. */
                filter_test_accounts?: boolean;
                /** @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id. */
                search?: string;
                /** @description Only one half of the answer: the `insight`, or the envelope of `persons`. */
                include?: "insight" | "persons";
                /** @description Persons per page. */
                limit?: number;
                /** @description Persons to skip. */
                offset?: number;
                /** @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. */
                format?: "json" | "csv";
                /** @description ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order. */
                funnel_order_type?: "ordered" | "strict" | "unordered";
                /** @description The longest time from the first step to the last step, inclusive; 14 days by default. */
                funnel_window_interval?: number;
                /** @description Unit of the window; a month is 30 days. */
                funnel_window_interval_unit?: "second" | "minute" | "hour" | "day" | "week" | "month";
                /** @description The window in days, without `funnel_window_interval`. */
                funnel_window_days?: number;
                /** @description Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of `{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}`, 10 at most. JSON text. */
                exclusions?: string;
                /** @description What to compare between the persons who converted and those who did not: events between the first and the last step, properties of persons, or properties of those events. */
                funnel_correlation_type?: "events" | "properties" | "event_with_properties";
                /** @description properties: the keys; `$all` means every key that persons have (the 200 most common). JSON text. */
                funnel_correlation_names?: string;
                /** @description properties: keys to leave out. JSON text. */
                funnel_correlation_exclude_names?: string;
                /** @description event_with_properties: the events whose properties (the 200 most common) are compared. JSON text. */
                funnel_correlation_event_names?: string;
                /** @description event_with_properties: keys to leave out. JSON text. */
                funnel_correlation_event_exclude_property_names?: string;
                /** @description events: events to leave out, in addition to the steps of the funnel and to $create_alias, $delete_person_property, $groupidentify, $identify, $merge_dangerously, $set. JSON text. */
                funnel_correlation_exclude_event_names?: string;
                /** @description Only persons with this event on the way: `{"id":"activated"}`, optionally with `properties`. JSON text. */
                funnel_correlation_person_entity?: string;
                /** @description Only persons that pass these filters; an empty value is a missing property. JSON text. */
                funnel_correlation_property_values?: string;
                /** @description true: only persons who converted; false: only persons who did not; both by default. */
                funnel_correlation_person_converted?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrelationPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    askFunnelCorrelation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CorrelationQuestion"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrelationPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getLifecycle: {
        parameters: {
            query?: {
                /** @description A list of one, here or in `actions`: the event that makes a person active; any event by default. JSON text. */
                events?: string;
                /** @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event. JSON text. */
                actions?: string;
                /** @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. */
                date_from?: string;
                /** @description Like `date_from`; a date includes the whole day. */
                date_to?: string;
                /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. */
                explicit_date?: boolean;
                /** @description Length of one point of the time axis. */
                interval?: "minute" | "hour" | "day" | "week" | "month";
                /** @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000. JSON text. */
                properties?: string;
                /** @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups. */
                aggregation_group_type_index?: number;
                /** @description Adds the project’s `test_account_filters`. */
                filter_test_accounts?: boolean;
                /** @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id. */
                search?: string;
                /** @description Only one half of the answer: the `insight`, or the envelope of `persons`. */
                include?: "insight" | "persons";
                /** @description Persons per page. */
                limit?: number;
                /** @description Persons to skip. */
                offset?: number;
                /** @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. */
                format?: "json" | "csv";
                /** @description Only persons in this state; in any state by default. */
                lifecycle_type?: "new" | "returning" | "resurrecting" | "dormant";
                /** @description Only persons at the point that contains this date; at any point by default. */
                target_date?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LifecyclePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getPaths: {
        parameters: {
            query?: {
                /** @description Only these events become items: a list of `{"id":"signed up"}`. With `funnel_paths` the events are the steps of the funnel instead. JSON text. */
                events?: string;
                /** @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event. JSON text. */
                actions?: string;
                /** @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. */
                date_from?: string;
                /** @description Like `date_from`; a date includes the whole day. */
                date_to?: string;
                /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. */
                explicit_date?: boolean;
                /** @description Length of one point of the time axis. */
                interval?: "minute" | "hour" | "day" | "week" | "month";
                /** @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000. JSON text. */
                properties?: string;
                /** @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups. */
                aggregation_group_type_index?: number;
                /** @description Adds the project’s `test_account_filters`. */
                filter_test_accounts?: boolean;
                /** @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id. */
                search?: string;
                /** @description Only one half of the answer: the `insight`, or the envelope of `persons`. */
                include?: "insight" | "persons";
                /** @description Persons per page. */
                limit?: number;
                /** @description Persons to skip. */
                offset?: number;
                /** @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. */
                format?: "json" | "csv";
                /** @description Which events become items: $pageview, $screen, custom_event (names that do not begin with $); all events by default. JSON text. */
                include_event_types?: string;
                /** @description One more of `include_event_types`. */
                path_type?: "$pageview" | "$screen" | "custom_event";
                /** @description Names of further events that become items. JSON text. */
                include_custom_events?: string;
                /** @description Another name of `include_custom_events`. JSON text. */
                custom_events?: string;
                /** @description Items to leave out; `*` stands for any text. Applied after grouping. JSON text. */
                exclude_events?: string;
                /** @description An item that contains a pattern becomes the last such pattern; `*` stands for any text. JSON text. */
                path_groupings?: string;
                /** @description Applies the project’s `path_cleaning_filters`. */
                path_replacements?: boolean;
                /** @description Regular expressions (RE2) whose matches in an item become the alias. Applied in order, after the rules of the project. JSON text. */
                local_path_cleaning_filters?: string;
                /** @description Only paths with this item, from its first occurrence on. */
                start_point?: string;
                /** @description Only paths with this item, up to its first occurrence: the last steps before the item. */
                end_point?: string;
                /** @description Number of steps of a path. */
                step_limit?: number;
                /** @description Number of edges: those of the highest `value`, without the ones that are not connected to a start. */
                edge_limit?: number;
                /** @description Only edges with a `value` of at least this, connected to a start or not. */
                min_edge_weight?: number;
                /** @description Only edges with a `value` of at most this, connected to a start or not. */
                max_edge_weight?: number;
                /** @description Only persons who continued from this step. */
                path_start_key?: string;
                /** @description Only persons who reached this step; with `path_start_key`, from there. */
                path_end_key?: string;
                /** @description Only persons whose path ends at this step; the other two keys are then ignored. */
                path_dropoff_key?: string;
                /** @description Replaces sessions by the paths before or after a step of a funnel, as long as the window of the funnel, or between the step and the previous step. */
                funnel_paths?: "before_step" | "funnel_path_before_step" | "between_steps" | "funnel_path_between_steps" | "after_step" | "funnel_path_after_step";
                /** @description The funnel, as an object with its parameters. Values here replace the parameters of the question. JSON text. */
                funnel_filter?: string;
                /** @description n: paths of persons who reached step n of the funnel; -n: of persons who took all steps before step n, but not step n. */
                funnel_step?: number;
                /** @description Persons whose last step has one of these numbers; replaces `funnel_step`. JSON text. */
                funnel_custom_steps?: string;
                /** @description ordered: each step at any time after the previous step; strict: each step as the very next event; unordered: all steps in any order. */
                funnel_order_type?: "ordered" | "strict" | "unordered";
                /** @description The longest time from the first step to the last step, inclusive; 14 days by default. */
                funnel_window_interval?: number;
                /** @description Unit of the window; a month is 30 days. */
                funnel_window_interval_unit?: "second" | "minute" | "hour" | "day" | "week" | "month";
                /** @description The window in days, without `funnel_window_interval`. */
                funnel_window_days?: number;
                /** @description Events that spoil an attempt if they happen between two steps (indexes from 0), and are no step themselves from the one to the other: a list of `{"id":"logged out","funnel_from_step":0,"funnel_to_step":1}`, 10 at most. JSON text. */
                exclusions?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    askPaths: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PathsQuestion"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getRetention: {
        parameters: {
            query?: {
                /** @description The event with which persons begin, or `{"id":7,"type":"actions"}`; `$pageview` by default. JSON text. */
                target_entity?: string;
                /** @description The event with which persons come back, or an action; `$pageview` by default. JSON text. */
                returning_entity?: string;
                /** @description Length of an interval. */
                period?: "Hour" | "Day" | "Week" | "Month";
                /** @description Number of intervals; the last one contains `date_to`. */
                total_intervals?: number;
                /** @description Cells of several intervals, in place of one for each interval: with [1,3,7], a row has the interval in which persons began, the one after it, the 3 after that, and the next 7. A person who came back in any of them counts once. A row has the cells that begin in one of the intervals. JSON text. */
                retention_custom_brackets?: string;
                /** @description recurring: every target event begins anew; first_time: only the first event of all time that is a target event does; first_ever_occurrence: only the first event of all time with the name of the target event does, and only if it passes all filters. */
                retention_type?: "retention_recurring" | "retention_first_time" | "retention_first_ever_occurrence" | "recurring" | "first_time" | "first_ever_occurrence";
                /** @description The number of returning events that makes an interval count. */
                minimum_occurrences?: number;
                /** @description Counts persons who came back in an interval or any later one. */
                cumulative?: boolean;
                /** @description How `mean` is computed: simple: every row counts the same; weighted: by the number of persons who began; none: no mean. */
                mean_retention_calculation?: "simple" | "weighted" | "none";
                /** @description Persons of this row. */
                selected_interval?: number;
                /** @description Of the persons of the row only those of this cell: the index in the row, from 0. */
                return_interval?: number;
                /** @description ISO date, or relative such as `-7d`, in the project’s time zone. The last interval contains this date. */
                date_to?: string;
                /** @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000. JSON text. */
                properties?: string;
                /** @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups. */
                aggregation_group_type_index?: number;
                /** @description Adds the project’s `test_account_filters`. */
                filter_test_accounts?: boolean;
                /** @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id. */
                search?: string;
                /** @description Only one half of the answer: the `insight`, or the envelope of `persons`. */
                include?: "insight" | "persons";
                /** @description Persons per page. */
                limit?: number;
                /** @description Persons to skip. */
                offset?: number;
                /** @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getStickiness: {
        parameters: {
            query?: {
                /** @description The events to count: a list of `{"id":"signed up"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. Each event may have `name`, `order`, `properties` and the keys that the insight adds. At most 500 events in all; each part of `any_of` counts. JSON text. */
                events?: string;
                /** @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event. JSON text. */
                actions?: string;
                /** @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. */
                date_from?: string;
                /** @description Like `date_from`; a date includes the whole day. */
                date_to?: string;
                /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. */
                explicit_date?: boolean;
                /** @description Length of one point of the time axis. */
                interval?: "minute" | "hour" | "day" | "week" | "month";
                /** @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000. JSON text. */
                properties?: string;
                /** @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups. */
                aggregation_group_type_index?: number;
                /** @description Adds the project’s `test_account_filters`. */
                filter_test_accounts?: boolean;
                /** @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id. */
                search?: string;
                /** @description Only one half of the answer: the `insight`, or the envelope of `persons`. */
                include?: "insight" | "persons";
                /** @description Persons per page. */
                limit?: number;
                /** @description Persons to skip. */
                offset?: number;
                /** @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. */
                format?: "json" | "csv";
                /** @description The number of events that makes an interval count: `{"operator":"gte","value":2}`. JSON text. */
                stickiness_criteria?: string;
                /** @description Counts by groups of this many intervals, from the first interval of the range on; the last group may be shorter. */
                interval_count?: number;
                /** @description Adds the same series for the previous range, or for the one that `compare_to` names. */
                compare?: boolean;
                /** @description Compares with the range this far back, such as `-1w`: `h`, `d`, `w`, `m`, `q` or `y`. It switches `compare` on unless that is false. */
                compare_to?: string;
                /** @description Only persons active in exactly this many intervals, or groups of them; all persons by default. */
                stickiness_days?: number;
                /** @description Another name of `stickiness_days`. */
                selected_interval?: number;
                /** @description With `compare`: persons of the current or the previous range. */
                compare_label?: "current" | "previous";
                /** @description Only persons of the series at this index; the first by default. */
                series?: number;
                /** @description Only persons of the series with this event, or this action. Without `events` and `actions`, the question is about it. */
                entity_id?: string;
                /** @description Another name of `entity_id`. */
                entityId?: string;
                /** @description With `entity_id`: what it names. */
                entity_type?: "events" | "actions";
                /** @description Another name of `entity_type`. */
                type?: "events" | "actions";
                /** @description With `entity_id`: its order. */
                entity_order?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StickinessPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getTrends: {
        parameters: {
            query?: {
                /** @description The events to count, one series each: a list of `{"id":"signed up","math":"dau"}`. `"id":null` is any event; `any_of` in place of `id` matches if one of its parts does. `math`: total, dau, unique_session, weekly_active, monthly_active, first_time_for_user, unique_group, sum, avg, min, max, median, p75, p90, p95, p99, avg_count_per_actor, min_count_per_actor, max_count_per_actor, median_count_per_actor, p75_count_per_actor, p90_count_per_actor, p95_count_per_actor, p99_count_per_actor; aggregates of numbers need `math_property`. `unique_group` counts the groups of the type `math_group_type_index`, `unique_session` the different values of `$session_id` at each point. `first_time_for_user` counts persons whose first event of that name ever passes the filters. JSON text. */
                events?: string;
                /** @description Saved actions, beside `events`: a list of `{"id":7}`. All keys of `events` are allowed, except `any_of`; both lists together are sorted by `order`, and each step of an action counts as an event. JSON text. */
                actions?: string;
                /** @description ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone. */
                date_from?: string;
                /** @description Like `date_from`; a date includes the whole day. */
                date_to?: string;
                /** @description Takes `date_from` and `date_to` as exact moments: a date is its first moment, and `-7d` has the time of now. */
                explicit_date?: boolean;
                /** @description Length of one point of the time axis. */
                interval?: "minute" | "hour" | "day" | "week" | "month";
                /** @description Filters that every event must pass: a list (all of which must hold) or a group. All filters of a question together: at most 500 filters (filters beside `any_of` count once for each part), 5,000 values (1,000 with operators other than `exact` and `is_not`), 200 regular expressions and 500,000 characters; each key and value has at most 1,000 characters, a regular expression 8,000. JSON text. */
                properties?: string;
                /** @description Counts the groups of this type, such as companies, instead of persons; events that name none do not count. The lists behind the numbers then have groups. */
                aggregation_group_type_index?: number;
                /** @description Adds the project’s `test_account_filters`. */
                filter_test_accounts?: boolean;
                /** @description Only persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is, as in the list of persons. Actors without a profile are found by their whole distinct id. */
                search?: string;
                /** @description Only one half of the answer: the `insight`, or the envelope of `persons`. */
                include?: "insight" | "persons";
                /** @description Persons per page. */
                limit?: number;
                /** @description Persons to skip. */
                offset?: number;
                /** @description csv streams all persons behind the answer. The 1,000 most frequent properties have a column each; the last column, `properties`, has all others as JSON. */
                format?: "json" | "csv";
                /** @description A property key or a list of at most 5 keys; for cohorts a list of at most 25 ids. `all` means all persons. JSON text. */
                breakdown?: string;
                /** @description The source of the property. */
                breakdown_type?: "event" | "person" | "cohort" | "group";
                /** @description With `breakdown_type=group`: the type of the groups. */
                breakdown_group_type_index?: number;
                /** @description In place of `breakdown`: at most 5 properties of different types, `{"property":"$browser","type":"event"}`. With type `cohort`, `property` is an id, `all` or a list of them, and a person has each cohort it is in as a value; persons in none of them do not count. All cohorts together have at most 25 combinations. In trends `"at":"event"` beside it means the cohorts that the person was in at the time of the event. An entry may have `normalize_url` and `histogram_bin_count` of its own. JSON text. */
                breakdowns?: string;
                /** @description Only persons with this value, a list of values for several properties; `""` is a missing property. JSON text. */
                breakdown_value?: string;
                /** @description Number of values: the most frequent ones. All others become "Other". Without this parameter a histogram has all of its bins. */
                breakdown_limit?: number;
                /** @description Leaves out `/`, `?` and `#` at the end of values, so that `/pricing/` and `/pricing?` are `/pricing`; what is empty then is `/`. */
                breakdown_normalize_url?: boolean;
                /** @description Splits by this many bins of equal width, from the lowest to the highest number of the property among the events of the question. A value is `[10.0,17.5]`, its first bound included and its second one not; bounds are rounded down to two decimals (more for narrow bins), and the last one lies above the highest number. Values that are no numbers are missing values. */
                breakdown_histogram_bin_count?: number;
                /** @description Computes one series from the others, which are A, B, … in their order: numbers, + - * / and parentheses; x / 0 is 0. `count` is the formula of the counts of the series, so that it is a ratio where the points are ratios. */
                formula?: string;
                /** @description ActionsLineGraphCumulative adds up the points and counts each person once; ActionsBarValue, ActionsPie, ActionsTable, BoldNumber and WorldMap have one number for the whole range. */
                display?: "ActionsLineGraph" | "ActionsLineGraphCumulative" | "ActionsBar" | "ActionsAreaGraph" | "ActionsBarValue" | "ActionsPie" | "ActionsTable" | "BoldNumber" | "WorldMap";
                /** @description Adds the same series for the previous range, or for the one that `compare_to` names. */
                compare?: boolean;
                /** @description Compares with the range this far back, such as `-1w`: `h`, `d`, `w`, `m`, `q` or `y`. It switches `compare` on unless that is false. */
                compare_to?: string;
                /** @description Replaces each number by the mean of this many points up to its own. */
                smoothing_intervals?: number;
                /** @description Only persons of the series at this index; the first by default. */
                series?: number;
                /** @description Only persons of the series with this event, or this action. Without `events` and `actions`, the question is about it. */
                entity_id?: string;
                /** @description Another name of `entity_id`. */
                entityId?: string;
                /** @description With `entity_id`: what it names. */
                entity_type?: "events" | "actions";
                /** @description Another name of `entity_type`. */
                type?: "events" | "actions";
                /** @description With `entity_id`: its order. */
                entity_order?: number;
                /** @description With `entity_id`: its math. */
                entity_math?: "total" | "dau" | "unique_session" | "weekly_active" | "monthly_active" | "first_time_for_user" | "unique_group" | "sum" | "avg" | "min" | "max" | "median" | "p75" | "p90" | "p95" | "p99" | "avg_count_per_actor" | "min_count_per_actor" | "max_count_per_actor" | "median_count_per_actor" | "p75_count_per_actor" | "p90_count_per_actor" | "p95_count_per_actor" | "p99_count_per_actor";
                /** @description Only persons of the point that contains this date or moment; of all points by default. */
                day?: string;
                /** @description With `compare`: persons of the current or the previous range; without `day` the current one. */
                compare_label?: "current" | "previous";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrendsPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getLiveSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveSummaryDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getQuerySchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuerySchemaDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    explainInSql: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The question: one SELECT, or an object `{"kind":"HogQLQuery","query":"select …","values":{}}`, also as the `source` of a `DataTableNode` or a `DataVisualizationNode`. Dialect of ClickHouse; tables `events`, `persons`, `person_distinct_ids`, `cohorts`, `cohort_people`, `sessions`. At most 100 kB.
                     * @example select event, count() from events where timestamp >= now() - interval 7 day group by event order by 2 desc
                     */
                    query: unknown;
                    /**
                     * @description The values of `{placeholders}` in the question: texts, numbers, booleans, nulls and lists of these.
                     * @example {}
                     */
                    values?: Record<string, never>;
                    /** @description Rows of the answer: 100 by default, or those of the question’s own LIMIT, at most 50,000; with another format than json at most 1,000,000. */
                    limit?: number;
                    /** @description Rows to skip. */
                    offset?: number;
                    /**
                     * @description csv, ndjson and parquet send a file, without `limit` with all rows up to the maximum.
                     * @default json
                     * @enum {string}
                     */
                    format?: "json" | "csv" | "ndjson" | "parquet";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    askInSql: {
        parameters: {
            query?: {
                /** @description csv, ndjson and parquet send a file, without `limit` with all rows up to the maximum. */
                format?: "json" | "csv" | "ndjson" | "parquet";
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The question: one SELECT, or an object `{"kind":"HogQLQuery","query":"select …","values":{}}`, also as the `source` of a `DataTableNode` or a `DataVisualizationNode`. Dialect of ClickHouse; tables `events`, `persons`, `person_distinct_ids`, `cohorts`, `cohort_people`, `sessions`. At most 100 kB.
                     * @example select event, count() from events where timestamp >= now() - interval 7 day group by event order by 2 desc
                     */
                    query: unknown;
                    /**
                     * @description The values of `{placeholders}` in the question: texts, numbers, booleans, nulls and lists of these.
                     * @example {}
                     */
                    values?: Record<string, never>;
                    /** @description Rows of the answer: 100 by default, or those of the question’s own LIMIT, at most 50,000; with another format than json at most 1,000,000. */
                    limit?: number;
                    /** @description Rows to skip. */
                    offset?: number;
                    /**
                     * @description csv, ndjson and parquet send a file, without `limit` with all rows up to the maximum.
                     * @default json
                     * @enum {string}
                     */
                    format?: "json" | "csv" | "ndjson" | "parquet";
                    /**
                     * @description The name that the client has for the query.
                     * @example paid orders
                     */
                    name?: string;
                    /**
                     * @description Has no effect: every answer comes at once.
                     * @example false
                     */
                    async?: boolean;
                    /**
                     * @description Has no effect.
                     * @example posthog_ai
                     */
                    limit_context?: string | null;
                };
            };
        };
        responses: {
            /** @description In the requested `format`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryAnswerDto"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    askNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The kind of the node, such as TrendsQuery. */
                query: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The node.
                     * @example {
                     *       "kind": "TrendsQuery",
                     *       "series": [
                     *         {
                     *           "kind": "EventsNode",
                     *           "event": "order paid"
                     *         }
                     *       ],
                     *       "dateRange": {
                     *         "date_from": "-30d"
                     *       }
                     *     }
                     */
                    query: {
                        /** @example TrendsQuery */
                        kind: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /**
                     * @description The name that the client has for the query.
                     * @example paid orders
                     */
                    name?: string;
                    /**
                     * @description Has no effect: every answer comes at once.
                     * @example false
                     */
                    async?: boolean;
                    /**
                     * @description Has no effect.
                     * @example posthog_ai
                     */
                    limit_context?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeAnswerDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only alerts on this saved question. For example `12`. */
                insight_id?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlertBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getAlert: {
        parameters: {
            query?: {
                /** @description How many checks. */
                checks_limit?: number;
                /** @description How many newer checks are left out. */
                checks_offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the alert. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the alert. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert is deleted. If it fired, `alert.resolved` is sent. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the alert. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAlertBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    backtestAlert: {
        parameters: {
            query?: {
                /** @description How far back, in days. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the alert. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BacktestDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listAnnotations: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only those with this text, in any case. For example `release`. */
                search?: string;
                /** @description Only those of this scope. */
                scope?: "project" | "dashboard" | "dashboard_item";
                /** @description Only from this date or moment on. For example `2026-01-01`. */
                date_from?: string;
                /** @description Only up to this date or moment, included. For example `2026-01-31`. */
                date_to?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createAnnotation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAnnotationBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the annotation. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the annotation. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The annotation is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the annotation. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAnnotationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listDashboards: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only those whose name contains this text, in any case. For example `active`. */
                search?: string;
                /** @description Only those that the user of the key has marked; `false`: the others. For example `true`. */
                favourite?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDashboardBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the dashboard. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the dashboard. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dashboard is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the dashboard. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDashboardBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getDashboardAnswers: {
        parameters: {
            query?: {
                /** @description Computes the answer anew, even if there is a kept one. */
                refresh?: boolean;
                /** @description A time range in place of that of the question, together with `date_to`: ISO date, `all`, or relative such as `-7d`. For example `-30d`. */
                date_from?: string;
                /** @description Like `date_from`. For example `now`. */
                date_to?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the dashboard. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardAnswersDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listInsights: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only those whose name contains this text, in any case. For example `active`. */
                search?: string;
                /** @description Only those that the user of the key has marked; `false`: the others. For example `true`. */
                favourite?: boolean;
                /** @description Only questions of this type. */
                type?: "trends" | "funnel" | "retention" | "paths" | "lifecycle" | "stickiness" | "correlation" | "sql" | "node";
                /** @description Only the one with this short id. For example `GiCPQbyV`. */
                short_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedInsightPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    createInsight: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInsightBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedInsightDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getInsight: {
        parameters: {
            query?: {
                /** @description Any value: the answer has `result`, which is computed for the request. For example `blocking`. */
                refresh?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the insight. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedInsightDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteInsight: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the insight. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The insight and its tiles are deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateInsight: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the insight. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateInsightBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedInsightDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getInsightAnswer: {
        parameters: {
            query?: {
                /** @description Computes the answer anew, even if there is a kept one. */
                refresh?: boolean;
                /** @description A time range in place of that of the question, together with `date_to`: ISO date, `all`, or relative such as `-7d`. For example `-30d`. */
                date_from?: string;
                /** @description Like `date_from`. For example `now`. */
                date_to?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The id of the insight. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsightAnswerDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listCatalogueEvents: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only names that contain this text, in any case. For example `sign`. */
                search?: string;
                /** @description Only hidden names; `false`: only the others. For example `false`. */
                hidden?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEventPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    describeEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DefineEventBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEventDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listCatalogueProperties: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only names that contain this text, in any case. For example `sign`. */
                search?: string;
                /** @description Only hidden names; `false`: only the others. For example `false`. */
                hidden?: boolean;
                /** @description Whose properties. */
                kind?: "event" | "person";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CataloguePropertiesPageDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    describeProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DefinePropertyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CataloguePropertyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listEventDefinitions: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only names that contain this text, in any case. For example `sign`. */
                search?: string;
                /** @description Leaves hidden names out. */
                exclude_hidden?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDefinitionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getEventDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDefinitionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updateEventDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEventDefinitionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDefinitionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPropertyDefinitions: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only names that contain this text, in any case. For example `sign`. */
                search?: string;
                /** @description Leaves hidden names out. */
                exclude_hidden?: boolean;
                /** @description Whose properties. There are no properties of groups and sessions: these lists are empty. */
                type?: "event" | "person" | "group" | "session";
                /** @description Names of events; see `filter_by_event_names`. For example `["signed up"]`. */
                event_names?: string[];
                /** @description Only properties of the events in `event_names`: those of up to 100,000 of these events of the last 30 days. */
                filter_by_event_names?: boolean;
                /** @description Only properties that are always numbers; `false`: the others. */
                is_numerical?: boolean;
                /** @description Only properties that begin with `$feature/`; `false`: the others. */
                is_feature_flag?: boolean;
                /** @description Leaves out what SDKs add, which begins with `$`. */
                exclude_core_properties?: boolean;
                /** @description Only these properties. For example `["plan"]`. */
                properties?: string[];
                /** @description All but these properties. For example `["plan"]`. */
                excluded_properties?: string[];
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyDefinitionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getPropertyDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyDefinitionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updatePropertyDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePropertyDefinitionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyDefinitionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listDeletionRequests: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Only requests in this state. */
                state?: "pending" | "running" | "done";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionRequestPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getDeletionRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionRequestDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getDataRetention: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Counts what the next run will remove, instead of listing the receipts of past runs. */
                preview?: boolean;
                /** @description With `preview=true`: counts for this value instead of the stored setting. `null` keeps events for ever. For example `365`. */
                events_ttl_days?: string;
                /** @description With `preview=true`: counts for these exceptions instead of the stored ones; an object, as JSON. For example `{"$pageview":30,"order paid":null}`. */
                events_ttl_days_by_name?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpiryRunPage"] | components["schemas"]["ExpiryPreviewDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    exportEvents: {
        parameters: {
            query?: {
                /** @description ndjson: lines that `import` reads, as they are stored. csv and parquet: written by ClickHouse, with `properties` as one JSON text. */
                format?: "ndjson" | "csv" | "parquet";
                /** @description The number of records; without it, all. A Parquet file has at most 100,000 events or groups, or 10,000 persons: a `Link` header with `rel="next"` names the next file. For example `1000`. */
                limit?: number;
                /** @description Events later than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-01-01T00:00:00Z`. */
                after?: string;
                /** @description Events earlier than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-02-01T00:00:00Z`. */
                before?: string;
                /** @description The `uuid` of the last event that was received completely, in the same format: the answer continues after it, a CSV without its header. For example `0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the requested `format`. */
            200: {
                headers: {
                    /** @description Of a Parquet file that may not be the last: the URL of the next, with `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    exportPersons: {
        parameters: {
            query?: {
                /** @description ndjson: lines that `import` reads, as they are stored. csv and parquet: written by ClickHouse, with `properties` as one JSON text. */
                format?: "ndjson" | "csv" | "parquet";
                /** @description The number of records; without it, all. A Parquet file has at most 100,000 events or groups, or 10,000 persons: a `Link` header with `rel="next"` names the next file. For example `1000`. */
                limit?: number;
                /** @description Persons created later than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-01-01T00:00:00Z`. */
                after?: string;
                /** @description Persons created earlier than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-02-01T00:00:00Z`. */
                before?: string;
                /** @description The `id` of the last person that was received completely: the answer continues after it, a CSV without its header. Of NDJSON, the last line that has an `id`. For example `41`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the requested `format`. */
            200: {
                headers: {
                    /** @description Of a Parquet file that may not be the last: the URL of the next, with `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    exportPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDocumentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    exportGroups: {
        parameters: {
            query?: {
                /** @description ndjson: lines that `import` reads, as they are stored. csv and parquet: written by ClickHouse, with `properties` as one JSON text. */
                format?: "ndjson" | "csv" | "parquet";
                /** @description The number of records; without it, all. A Parquet file has at most 100,000 events or groups, or 10,000 persons: a `Link` header with `rel="next"` names the next file. For example `1000`. */
                limit?: number;
                /** @description Groups created later than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-01-01T00:00:00Z`. */
                after?: string;
                /** @description Groups created earlier than this. ISO date, in the project’s time zone when it names none, or relative such as `-7d`, `-24h`. For example `2026-02-01T00:00:00Z`. */
                before?: string;
                /** @description The `id` of the last group that was received completely: the answer continues after it, a CSV without its header. For example `3`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the requested `format`. */
            200: {
                headers: {
                    /** @description Of a Parquet file that may not be the last: the URL of the next, with `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A message of JSON-RPC 2.0. At most 1 MB. */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer of JSON-RPC 2.0. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A notification, which has no answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is no message, or names a version of the protocol that is not known. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            /** @description Accept must name application/json and text/event-stream. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    home: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The addresses of the documentation and the health check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HomeDto"];
                };
            };
            /** @description For a browser, without the console: `Location` is /docs. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
        };
    };
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveDto"];
                };
            };
            431: components["responses"]["Problem431"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process can answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyDto"];
                };
            };
            431: components["responses"]["Problem431"];
            /** @description It cannot; `checks` says why. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyDto"];
                };
            };
        };
    };
    listBackgroundWork: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackgroundWorkPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All metrics of the process. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
        };
    };
    getPerson: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deletePerson: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description true: all events of the person received until now are deleted too, in the next run. The header `Location` of the answer is the path of the receipt, `deletion_requests/{id}`. */
                delete_events?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is deleted; its distinct ids are free. */
            204: {
                headers: {
                    /** @description The deletion request for the events. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updatePerson: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPropertiesBody"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deletePersonProperty: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description The key, unless the body names it. For example `plan`. */
                $unset?: string;
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeletePropertyBody"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    updatePersonProperty: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description The key, unless the body names it. For example `plan`. */
                key?: string;
                /** @description The value, unless the body has it. Valid JSON is read as JSON, everything else as text. For example `team`. */
                value?: string;
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePropertyBody"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    mergePerson: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergePersonBody"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergePersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPersonMerges: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonMergePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    undoPersonMerge: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
                merge_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnmergePersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    undoPersonSplit: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsplitPersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getPersonPropertiesTimeline: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description ISO date, `all`, or relative such as `-7d`, `mStart`. */
                date_from?: string;
                /** @description Like `date_from`; the default is the end of today. For example `2026-02-01`. */
                date_to?: string;
                /** @description Where relative dates begin. */
                interval?: "minute" | "hour" | "day" | "week" | "month";
                /** @description The relevant events as JSON: a list of `{"id": "<event>", "properties": […]}`; an `id` of null matches any event, and so does a missing list. For example `[{"id":"signed up"}]`. */
                events?: string;
                /** @description Filters as JSON. They do not select events: the keys of filters of type `person` are the crucial ones. Without such filters, every key is. For example `[{"key":"plan","operator":"is_set","type":"person"}]`. */
                properties?: string;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPersons: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Taken from `next` or `previous` of another page; determines where the page begins. */
                cursor?: string;
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description The persons of exactly these distinct ids; repeat the parameter for several, at most 1000. For example `["ada"]`. */
                distinct_id?: string[];
                /** @description The whole e-mail, in any case. For example `ada@example.test`. */
                email?: string;
                /** @description Persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is. Names are the properties `name`, `username` and those of the project’s `person_display_name_properties`. Of a person with more than 100 distinct ids the others are found as a whole. For example `example.test`. */
                search?: string;
                /** @description Filters as JSON: a list, all of which must hold, or a group `{"type": "AND" | "OR", "values": […]}` nested at will. Types: `person` (default) and `cohort`. For example `[{"key":"plan","operator":"exact","value":["pro"],"type":"person"}]`. */
                properties?: string;
                /** @description Members of this cohort. For example `3`. */
                cohort?: number;
                /** @description Persons created after this moment. For example `2026-01-01T00:00:00Z`. */
                created_after?: string;
                /** @description Persons created before this moment. For example `2026-02-01T00:00:00Z`. */
                created_before?: string;
                /** @description The person of this uuid. */
                uuid?: string;
                /** @description A distinct id, or the whole e-mail, in any case. For example `ada`. */
                key_identifier?: string;
                /** @description Whether the person was ever identified as a known user. For example `true`. */
                is_identified?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getPersonsByDistinctIds: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DistinctIdsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonsByIdDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    getPersonsByUuids: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 100 kB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UuidsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonsByIdDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listDistinctIds: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description Taken from `next` or `previous` of another page; determines where the page begins. */
                cursor?: string;
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DistinctIdPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPersonProperties: {
        parameters: {
            query?: {
                /** @description Records per page. */
                limit?: number;
                /** @description Records to skip. */
                offset?: number;
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Also properties that the catalogue of the project hides. */
                include_hidden?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyKeyPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPropertyValues: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Values per page. */
                limit?: number;
                /** @description Values to skip. */
                offset?: number;
                /** @description The property; without it, the answer lists the properties. For example `plan`. */
                key?: string;
                /** @description Only values that contain this text, in any case. For example `pr`. */
                value?: string;
                /** @description Whose properties. */
                type?: "person" | "event";
                /** @description Also properties that the catalogue of the project hides. */
                include_hidden?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyValuePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPersonsActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    listPersonActivity: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
                /** @description Entries per page. */
                limit?: number;
                /** @description Entries to skip. For example `0`. */
                offset?: number;
                /** @description The page number, from 1, instead of offset. For example `1`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deletePersons: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDeleteBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkDeleteReplyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    deletePersonEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteEventsReplyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    splitPerson: {
        parameters: {
            query?: {
                /** @description csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected. */
                format?: "json" | "csv";
            };
            header?: {
                /** @description A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. A failed request frees its key. When a connection or a process broke after the change and before the answer, the same request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. Keys belong to a user, a project and a route. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the project, or `@current` when the key opens exactly one. */
                project_id: string;
                /** @description The integer id or the uuid. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 5 MB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SplitPersonBody"];
            };
        };
        responses: {
            /** @description With `format=csv` a table, `text/csv`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SplitPersonDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
}

CREATE TABLE "command_filter_acl_groups" (
	"commandfilteracl_id" uuid NOT NULL,
	"commandgroup_id" uuid NOT NULL,
	CONSTRAINT "command_filter_acl_groups_commandfilteracl_id_commandgroup_id_pk" PRIMARY KEY("commandfilteracl_id","commandgroup_id")
);
--> statement-breakpoint
CREATE TABLE "command_filter_acl_reviewers" (
	"commandfilteracl_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "command_filter_acl_reviewers_commandfilteracl_id_user_id_pk" PRIMARY KEY("commandfilteracl_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "command_filter_acls" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"priority" integer DEFAULT 50 NOT NULL,
	"users" jsonb NOT NULL,
	"assets" jsonb NOT NULL,
	"accounts" jsonb NOT NULL,
	"action" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "command_filter_acls_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
CREATE TABLE "command_groups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"content" text NOT NULL,
	"pattern" text NOT NULL,
	"ignore_case" boolean NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "command_groups_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
CREATE TABLE "login_asset_acl_reviewers" (
	"loginassetacl_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "login_asset_acl_reviewers_loginassetacl_id_user_id_pk" PRIMARY KEY("loginassetacl_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "login_asset_acls" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"priority" integer DEFAULT 50 NOT NULL,
	"users" jsonb NOT NULL,
	"assets" jsonb NOT NULL,
	"accounts" jsonb NOT NULL,
	"action" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "login_asset_acls_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
CREATE TABLE "ticket_sessions" (
	"ticket_id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "command_filter_acl_groups" ADD CONSTRAINT "command_filter_acl_groups_commandfilteracl_id_command_filter_acls_id_fk" FOREIGN KEY ("commandfilteracl_id") REFERENCES "public"."command_filter_acls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_filter_acl_groups" ADD CONSTRAINT "command_filter_acl_groups_commandgroup_id_command_groups_id_fk" FOREIGN KEY ("commandgroup_id") REFERENCES "public"."command_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_filter_acl_reviewers" ADD CONSTRAINT "command_filter_acl_reviewers_commandfilteracl_id_command_filter_acls_id_fk" FOREIGN KEY ("commandfilteracl_id") REFERENCES "public"."command_filter_acls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_filter_acl_reviewers" ADD CONSTRAINT "command_filter_acl_reviewers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_filter_acls" ADD CONSTRAINT "command_filter_acls_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_groups" ADD CONSTRAINT "command_groups_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_asset_acl_reviewers" ADD CONSTRAINT "login_asset_acl_reviewers_loginassetacl_id_login_asset_acls_id_fk" FOREIGN KEY ("loginassetacl_id") REFERENCES "public"."login_asset_acls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_asset_acl_reviewers" ADD CONSTRAINT "login_asset_acl_reviewers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_asset_acls" ADD CONSTRAINT "login_asset_acls_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_sessions" ADD CONSTRAINT "ticket_sessions_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "command_filter_acl_groups_commandgroup_id_index" ON "command_filter_acl_groups" USING btree ("commandgroup_id");--> statement-breakpoint
CREATE INDEX "command_filter_acl_reviewers_user_id_index" ON "command_filter_acl_reviewers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "command_filter_acls_name_trgm" ON "command_filter_acls" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "command_groups_name_trgm" ON "command_groups" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "login_asset_acl_reviewers_user_id_index" ON "login_asset_acl_reviewers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "login_asset_acls_name_trgm" ON "login_asset_acls" USING gin ("name" gin_trgm_ops);